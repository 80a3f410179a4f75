/* LD_PRELOAD layer that fails one chosen system call of a supervisor. FAULT_CALL names a group, FAULT_AT the how-manieth call
   of that group fails (from 1, 0: none), FAULT_ERRNO with what, FAULT_STICKY=1: all later ones fail too. FAULT_REPORT names a
   file that gets the number of calls of every group at the end. Workers do not inherit it: their environment is made anew. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum group { WRITE, SYNC, RENAME, OPEN, TRUNCATE, FORK, GROUPS };
static const char *const names[GROUPS] = {"write", "sync", "rename", "open", "truncate", "fork"};
static atomic_int counts[GROUPS];

static int faulty(enum group group) {
  int number = atomic_fetch_add(&counts[group], 1) + 1;
  const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"), *code = getenv("FAULT_ERRNO");
  if (call == NULL || at == NULL || strcmp(call, names[group]) != 0) return 0;
  int wanted = atoi(at);
  if (wanted == 0 || (getenv("FAULT_STICKY") != NULL ? number < wanted : number != wanted)) return 0;
  errno = code != NULL ? atoi(code) : EIO;
  return 1;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAULT_REPORT");
  if (path == NULL) return;
  FILE *file = fopen(path, "w");
  if (file == NULL) return;
  for (int i = 0; i < GROUPS; i++) fprintf(file, "%s %d\n", names[i], counts[i]);
  fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) { return fd > 2 && faulty(WRITE) ? -1 : REAL(write)(fd, bytes, count); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return faulty(WRITE) ? -1 : REAL(pwrite)(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return faulty(WRITE) ? -1 : REAL(pwrite64)(fd, bytes, count, at); }
int fsync(int fd) { return faulty(SYNC) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return faulty(SYNC) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return faulty(RENAME) ? -1 : REAL(rename)(from, to); }
int symlink(const char *to, const char *path) { return faulty(RENAME) ? -1 : REAL(symlink)(to, path); }
int link(const char *from, const char *to) { return faulty(RENAME) ? -1 : REAL(link)(from, to); }
int ftruncate(int fd, off_t length) { return faulty(TRUNCATE) ? -1 : REAL(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { return faulty(TRUNCATE) ? -1 : REAL(ftruncate64)(fd, length); }
pid_t fork(void) { return faulty(FORK) ? -1 : REAL(fork)(); }

/* Only what may be written counts: reading an input that fails is another test. */
static int counted(const char *path, int flags) { (void)path; return (flags & O_ACCMODE) != O_RDONLY; }
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return counted(path, flags) && faulty(OPEN) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return counted(path, flags) && faulty(OPEN) ? -1 : REAL(open64)(path, flags, mode);
}
