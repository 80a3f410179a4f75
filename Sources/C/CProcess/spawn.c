/* Starting and reaping workers. Between fork and exec only async-signal-safe calls are allowed (signal-safety(7)), in a
   process whose other threads may hold any lock: this part must be C. */
#define _GNU_SOURCE
#include "cprocess.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_STATUS_FD = 3 };

/* A sanitizer maps terabytes of shadow memory, so that a worker under one would not start with its address space limited. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

struct plan {
  const cprocess_command *command;
  int in, out, status, error;  /* the child's ends, all above the descriptors they are copied to */
  pid_t parent;
};

static void fail(const struct plan *plan) {
  int code = errno;
  ssize_t ignored = write(plan->error, &code, sizeof code);
  (void)ignored;
  _exit(127);
}

/* Runs in the child. */
static void become(const struct plan *plan) {
  setpgid(0, 0);
  /* The kernel sends this when the forking thread ends; whoever died before this line is seen by the second. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(plan);
  if (getppid() != plan->parent) _exit(127);

  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (plan->command->address_space_bytes > 0 && !IS_SANITIZED) {
    struct rlimit space = {plan->command->address_space_bytes, plan->command->address_space_bytes};
    if (setrlimit(RLIMIT_AS, &space) != 0) fail(plan);
  }
  umask(077);
  /* Should memory run out, the kernel takes a worker before the supervisor; a refusal changes nothing. */
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    ssize_t ignored = write(score, "500", 3);
    (void)ignored;
    close(score);
  }

  int error_output = plan->command->inherit_stderr ? 2 : open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (error_output < 0) fail(plan);
  if (dup2(plan->in, 0) < 0 || dup2(plan->out, 1) < 0 || dup2(plan->status, CHILD_STATUS_FD) < 0) fail(plan);
  if (error_output != 2 && dup2(error_output, 2) < 0) fail(plan);
#ifdef SYS_close_range
  syscall(SYS_close_range, (unsigned)CHILD_STATUS_FD + 1, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
#endif
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; number++) sigaction(number, &standard, NULL);
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  execve(plan->command->argv[0], (char *const *)plan->command->argv, (char *const *)plan->command->envp);
  fail(plan);
}

/* A pipe whose ends lie above the descriptors that the child's ends are copied to. */
static int make_pipe(int ends[2]) {
  int raw[2];
  if (pipe2(raw, O_CLOEXEC) != 0) return errno;
  for (int i = 0; i < 2; i++) ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 10);
  int code = ends[0] < 0 || ends[1] < 0 ? errno : 0;
  close(raw[0]);
  close(raw[1]);
  if (code != 0)
    for (int i = 0; i < 2; i++) if (ends[i] >= 0) close(ends[i]);
  return code;
}

static int fork_and_exec(const cprocess_command *command, cprocess_child *child) {
  int pipes[4][2], made = 0, code = 0;  /* in, out, status, error */
  for (; made < 4 && code == 0; made++) code = make_pipe(pipes[made]);
  if (code != 0) made--;
  pid_t pid = -1;
  if (code == 0) {
    struct plan plan = {command, pipes[0][0], pipes[1][1], pipes[2][1], pipes[3][1], getpid()};
    pid = fork();
    if (pid == 0) become(&plan);
    if (pid < 0) code = errno;
  }
  if (code != 0) {
    for (int i = 0; i < made; i++) { close(pipes[i][0]); close(pipes[i][1]); }
    return code;
  }
  setpgid(pid, pid);  /* in both, so that whoever comes first wins */
  close(pipes[0][0]);
  close(pipes[1][1]);
  close(pipes[2][1]);
  close(pipes[3][1]);
  int failure = 0;
  ssize_t count;
  do count = read(pipes[3][0], &failure, sizeof failure); while (count < 0 && errno == EINTR);
  close(pipes[3][0]);
  if (count == (ssize_t)sizeof failure) {
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    close(pipes[0][1]);
    close(pipes[1][0]);
    close(pipes[2][0]);
    return failure;
  }
  fcntl(pipes[0][1], F_SETFL, O_NONBLOCK);
  fcntl(pipes[1][0], F_SETFL, O_NONBLOCK);
  fcntl(pipes[2][0], F_SETFL, O_NONBLOCK);
  *child = (cprocess_child){pid, pipes[0][1], pipes[1][0], pipes[2][0]};
  return 0;
}

/* The one thread that forks. Callers queue behind `turn`; `request` is theirs until `code` is there. */
static struct {
  pthread_mutex_t turn, lock;
  pthread_cond_t changed;
  const cprocess_command *request;
  cprocess_child *child;
  int code, done;
} spawner = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0, 0};
static pthread_once_t spawner_once = PTHREAD_ONCE_INIT;
static int spawner_error;

static void *spawner_main(void *unused) {
  (void)unused;
  pthread_mutex_lock(&spawner.lock);
  for (;;) {
    while (spawner.request == NULL) pthread_cond_wait(&spawner.changed, &spawner.lock);
    spawner.code = fork_and_exec(spawner.request, spawner.child);
    spawner.request = NULL;
    spawner.done = 1;
    pthread_cond_broadcast(&spawner.changed);
  }
  return NULL;
}

static void start_spawner(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  spawner_error = pthread_create(&thread, &attributes, spawner_main, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

int cprocess_spawn(const cprocess_command *command, cprocess_child *child) {
  pthread_once(&spawner_once, start_spawner);
  if (spawner_error != 0) return spawner_error;
  pthread_mutex_lock(&spawner.turn);
  pthread_mutex_lock(&spawner.lock);
  spawner.child = child;
  spawner.done = 0;
  spawner.request = command;
  pthread_cond_broadcast(&spawner.changed);
  while (!spawner.done) pthread_cond_wait(&spawner.changed, &spawner.lock);
  int code = spawner.code;
  pthread_mutex_unlock(&spawner.lock);
  pthread_mutex_unlock(&spawner.turn);
  return code;
}

int cprocess_reap(pid_t pid, int block, int *wait_status, long *peak_kilobytes) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  pid_t got;
  do got = wait4(pid, wait_status, block ? 0 : WNOHANG, &usage); while (got < 0 && errno == EINTR);
  if (got < 0) return -1;
  if (got == 0) return 0;
  *peak_kilobytes = usage.ru_maxrss;
  return 1;
}

int cprocess_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
int cprocess_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int cprocess_harden(void) {
  umask(077);
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  return 0;
}

void cprocess_open_many_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int cprocess_is_ignored(int number) {
  struct sigaction current;
  return sigaction(number, NULL, &current) == 0 && current.sa_handler == SIG_IGN;
}

int cprocess_rename_exclusive(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */) == 0 ? 0 : errno;
}

int cprocess_holds(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
  if (wanted_count == 0 || wanted_count > count) return wanted_count == 0;
  return memmem(bytes, count, wanted, wanted_count) != NULL;
}

/* There only where the sanitizer's runtime is linked. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
void cprocess_tsan_acquire(void *address) { if (__tsan_acquire) __tsan_acquire(address); }
void cprocess_tsan_release(void *address) { if (__tsan_release) __tsan_release(address); }
