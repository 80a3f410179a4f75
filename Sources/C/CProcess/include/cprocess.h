/* Process plumbing that Swift cannot express: what must run between fork and exec, Landlock, seccomp, and a digest that
   uses the processor's SHA instructions. Nothing here allocates for its caller, and every result is checked in Swift. */
#ifndef CPROCESS_H
#define CPROCESS_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- Worker processes (spawn.c) ---- */

typedef struct {
  const char *const *argv;       /* NULL-terminated; argv[0] is the file to execute, an absolute path */
  const char *const *envp;       /* NULL-terminated; the whole environment */
  uint64_t address_space_bytes;  /* RLIMIT_AS, 0 for none */
  int inherit_stderr;            /* else stderr goes to /dev/null: libraries write to it whatever they like */
} cprocess_command;

typedef struct {
  pid_t pid;      /* also the id of its own process group */
  int stdin_fd;   /* write end, non-blocking */
  int stdout_fd;  /* read end, non-blocking */
  int status_fd;  /* read end of the child's descriptor 3, non-blocking: it announces there that it is ready */
} cprocess_child;

/* Starts a child that dies with this process (PDEATHSIG), leaves no core, and leads its own process group.
   It is forked by one thread that lives as long as the process, since PDEATHSIG follows the thread that forked.
   Returns 0 or an errno value: of pipe, of fork, or of the child's exec. */
int cprocess_spawn(const cprocess_command *command, cprocess_child *child);

/* Waits for a child. `block` 0: returns at once. Returns 1 when it was reaped, 0 while it runs, -1 on error (errno).
   `wait_status` as of waitpid; `peak_kilobytes` its largest resident size. */
int cprocess_reap(pid_t pid, int block, int *wait_status, long *peak_kilobytes);
/* The parts of a wait status, which C has as macros. */
int cprocess_exit_code(int wait_status);    /* -1 where it did not exit by itself */
int cprocess_end_signal(int wait_status);   /* 0 where no signal ended it */

/* ---- This process ---- */

/* No core file and no memory dump of this process; group and others get no access to files it makes. */
int cprocess_harden(void);
/* Lets this process have as many files open as it may at all; where that is refused, it goes on with what it has. */
void cprocess_open_many_files(void);
/* Whether this process ignores a signal. */
int cprocess_is_ignored(int signal_number);
/* Renames without replacing: fails with EEXIST where `to` exists. 0 or an errno value. */
int cprocess_rename_exclusive(const char *from, const char *to);

/* Whether bytes hold others, one after the other. Here since memmem(3) is GNU's and Swift does not see it. */
int cprocess_holds(const void *bytes, size_t count, const void *wanted, size_t wanted_count);

/* Tells ThreadSanitizer that a lock, named by an address, was taken or is given back; does nothing without it. */
void cprocess_tsan_acquire(void *address);
void cprocess_tsan_release(void *address);

/* ---- Sandbox (sandbox.c) ---- */

/* The Landlock ABI version that the kernel offers, 0 where there is none. */
int cprocess_landlock_version(void);
/* Whether the kernel takes seccomp filters. */
int cprocess_seccomp_available(void);
/* Confines the calling thread and every thread it starts later: below `read_paths` files can be read, below `write_paths`
   also made, written, renamed and removed; nothing else can be opened. Paths that do not exist are passed over.
   0 or an errno value; ENOSYS or EOPNOTSUPP where the kernel has no Landlock. */
int cprocess_landlock_restrict(const char *const *read_paths, const char *const *write_paths);
/* Forbids all threads of this process sockets, new processes, exec, tracing and what administers a machine (EPERM).
   0 or an errno value. */
int cprocess_seccomp_restrict(void);
/* The number of threads of this process, -1 where it cannot be told. */
int cprocess_thread_count(void);

/* ---- SHA-256 (sha256.c), FIPS 180-4 ---- */

typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
  size_t filled;
} cprocess_sha256;

void cprocess_sha256_init(cprocess_sha256 *context);
void cprocess_sha256_update(cprocess_sha256 *context, const void *bytes, size_t count);
void cprocess_sha256_final(cprocess_sha256 *context, uint8_t digest[32]);

#endif
