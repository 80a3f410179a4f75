import BatchRun
import CProcess
import Foundation
import Glibc

/// Confines itself as a worker does and tries what a worker hijacked by an image would try.
struct SandboxProbe {
  let readable: String
  let writable: String

  /// A JSON object: what was tried, and 0 where it succeeded or the errno of its refusal.
  var report: String {
    let sandbox = Sandbox(readable: [readable], writable: [writable])
    let files = sandbox.confineFiles()
    let calls = sandbox.confineCalls()
    var found: [String: Int] = [
      "landlock": files.isOn ? 0 : 1, "seccomp": calls.isOn ? 0 : 1,
      "landlockVersion": SandboxSupport.ofThisKernel().landlockVersion,
    ]
    for (name, attempt) in attempts { found[name] = Int(attempt()) }
    do {
      return String(decoding: try JSONSerialization.data(withJSONObject: found, options: .sortedKeys), as: UTF8.self)
    } catch { return "{}" }
  }

  private func opened(_ path: String, _ flags: Int32) -> Int32 { result(Glibc.open(path, flags | O_CLOEXEC, 0o600)) }

  /// Closes what was opened.
  private func result(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }

  private func done(_ status: Int32) -> Int32 { status == 0 ? 0 : errno }

  private var attempts: [(String, () -> Int32)] {
    [
      ("readInside", { opened(readable + "/inside", O_RDONLY) }),
      ("writeInside", { opened(writable + "/new", O_WRONLY | O_CREAT) }),
      ("renameInside", { done(rename(writable + "/new", writable + "/newer")) }),
      ("removeInside", { done(unlink(writable + "/newer")) }),
      ("readPasswords", { opened("/etc/passwd", O_RDONLY) }),
      ("readHome", { opened("/root", O_RDONLY | O_DIRECTORY) }),
      ("readOtherProcess", { opened("/proc/1/environ", O_RDONLY) }),
      ("readByLink", { opened(readable + "/link", O_RDONLY) }),
      ("readByDots", { opened(readable + "/../outside", O_RDONLY) }),
      ("writeReadable", { opened(readable + "/new", O_WRONLY | O_CREAT) }),
      ("overwriteReadable", { opened(readable + "/inside", O_WRONLY) }),
      ("truncateReadable", { done(truncate(readable + "/inside", 0)) }),
      ("writeTemporary", { opened("/tmp/cnicscan-probe-\(getpid())", O_WRONLY | O_CREAT) }),
      (
        "moveOut",
        {
          _ = opened(writable + "/mine", O_WRONLY | O_CREAT)
          return done(rename(writable + "/mine", readable + "/mine"))
        }
      ),
      ("makeFolder", { done(mkdir(writable + "/folder", 0o700)) }),
      ("makePipe", { done(mkfifo(writable + "/pipe", 0o600)) }),
      ("makeLink", { done(symlink("/etc/passwd", writable + "/link")) }),
      ("hardLink", { done(link(readable + "/inside", writable + "/hard")) }),
      ("socketInternet", { result(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }),
      ("socketInternet6", { result(socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)) }),
      ("socketLocal", { result(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) }),
      ("socketNetlink", { result(socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)) }),
      ("kill", { done(kill(getppid(), 0)) }),
      (
        "newProcess",
        {
          var child = cprocess_child()
          return "/bin/true".withCString { path in
            let list: [UnsafePointer<CChar>?] = [path, nil]
            return list.withUnsafeBufferPointer { arguments in
              guard let base = arguments.baseAddress else { return EINVAL }
              var command = cprocess_command(argv: base, envp: base + 1, address_space_bytes: 0, inherit_stderr: 0)
              return cprocess_spawn(&command, &child)
            }
          }
        }
      ),
      (
        "execute",
        {
          var none: UnsafeMutablePointer<CChar>?
          return withUnsafeMutablePointer(to: &none) { execve("/bin/true", $0, $0) == 0 ? 0 : errno }
        }
      ),
      (
        "thread",
        {
          var thread = pthread_t()
          let code = pthread_create(&thread, nil, { _ in nil }, nil)
          if code == 0 { pthread_join(thread, nil) }
          return code
        }
      ),
    ]
  }
}
