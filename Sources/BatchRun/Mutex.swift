private import CProcess
internal import Synchronization

/// Synchronization's mutex, told of to ThreadSanitizer.
///
/// On Linux that mutex locks by futex(2) inside the standard library, which is not instrumented: the sanitizer sees no order between
/// two holders and calls every use a race. So each hold is announced to it; without the sanitizer that is a look at a null pointer.
struct Mutex<Value>: ~Copyable, Sendable {
  private let real: Synchronization.Mutex<Value>
  /// An address of its own to name the lock by: the value's may not be touched before the lock is announced.
  private let name: UInt

  init(_ value: consuming sending Value) {
    real = Synchronization.Mutex(value)
    name = UInt(bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
  }

  deinit { UnsafeMutableRawPointer(bitPattern: name)?.deallocate() }

  borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try real.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
      cprocess_tsan_acquire(UnsafeMutableRawPointer(bitPattern: name))
      defer { cprocess_tsan_release(UnsafeMutableRawPointer(bitPattern: name)) }
      return try body(&value)
    }
  }
}
