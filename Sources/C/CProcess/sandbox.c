/* What a worker may still do once it has started. Landlock binds the calling thread and those it starts, so it comes first,
   before a library starts threads; seccomp binds all threads at once (TSYNC) and comes when everything is loaded. */
#define _GNU_SOURCE
#include "cprocess.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than Debian 12's kernel headers; the kernel is asked for its version before they are used. */
#define ACCESS_FS_REFER (1ULL << 13)
#define ACCESS_FS_TRUNCATE (1ULL << 14)
#define ACCESS_FS_IOCTL_DEV (1ULL << 15)
#define ACCESS_NET_BIND_TCP (1ULL << 0)
#define ACCESS_NET_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)
struct ruleset { uint64_t fs, net, scoped; };

static const uint64_t READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/* Of these a rule for a file, not a folder, may hold only READ_FILE, WRITE_FILE and TRUNCATE. */
static const uint64_t FILE_RIGHTS = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_FS_TRUNCATE;

int cprocess_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, (void *)0, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

int cprocess_seccomp_available(void) {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 || errno != EINVAL;
}

static int allow(int ruleset, const char *path, uint64_t rights) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : errno;
  struct stat info;
  int code = 0;
  if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) rights &= FILE_RIGHTS;
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
  if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) code = errno;
  close(fd);
  return code;
}

int cprocess_landlock_restrict(const char *const *read_paths, const char *const *write_paths) {
  int version = cprocess_landlock_version();
  if (version == 0) return ENOSYS;
  struct ruleset all = {.fs = (1ULL << 13) - 1};  /* version 1: EXECUTE ... MAKE_SYM */
  uint64_t writing = READING | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
  if (version >= 2) all.fs |= ACCESS_FS_REFER;
  if (version >= 3) { all.fs |= ACCESS_FS_TRUNCATE; writing |= ACCESS_FS_TRUNCATE; }
  if (version >= 4) all.net = ACCESS_NET_BIND_TCP | ACCESS_NET_CONNECT_TCP;
  if (version >= 5) all.fs |= ACCESS_FS_IOCTL_DEV;
  if (version >= 6) all.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
  size_t size = version >= 6 ? sizeof all : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
  if (ruleset < 0) return errno;
  int code = 0;
  for (; code == 0 && *read_paths != NULL; read_paths++) code = allow(ruleset, *read_paths, READING & all.fs);
  for (; code == 0 && *write_paths != NULL; write_paths++) code = allow(ruleset, *write_paths, writing & all.fs);
  if (code == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) code = errno;
  if (code == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) code = errno;
  close(ruleset);
  return code;
}

int cprocess_seccomp_restrict(void) {
  /* What no reader of images needs, by name; those the library does not know on this machine are passed over. */
  static const char *const forbidden[] = {
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvfrom", "recvmsg",
    "recvmmsg", "socketcall", "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kill", "tkill", "rt_sigqueueinfo", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "bpf", "perf_event_open", "userfaultfd", "mount", "umount2", "move_mount", "fsopen", "fsmount", "open_tree",
    "pivot_root", "chroot", "unshare", "setns", "keyctl", "add_key", "request_key", "init_module", "finit_module", "delete_module",
    "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "quotactl", "acct", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "sethostname", "setdomainname", "iopl", "ioperm", "name_to_handle_at", "open_by_handle_at", "mknod", "mknodat",
    "symlink", "symlinkat", "link", "linkat", "chown", "fchown", "lchown", "fchownat", "setuid", "setgid", "setreuid", "setregid",
    "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capset", "personality", "syslog", "vhangup", "memfd_secret",
    "msgget", "semget", "shmget", "mq_open",
  };
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == NULL) return ENOMEM;
  int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; code == 0 && i < sizeof forbidden / sizeof *forbidden; i++) {
    int call = seccomp_syscall_resolve_name(forbidden[i]);
    if (call == __NR_SCMP_ERROR || call < 0) continue;
    code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  /* Threads, but no processes. clone3 keeps its flags in memory, where a filter cannot look: glibc then takes clone. */
  if (code == 0)
    code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  int clone3 = seccomp_syscall_resolve_name("clone3");
  if (code == 0 && clone3 > 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), clone3, 0);
  if (code == 0) code = seccomp_load(filter);
  seccomp_release(filter);
  return code < 0 ? -code : code;
}

int cprocess_thread_count(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL) return -1;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}
