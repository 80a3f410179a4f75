/* Preloaded into workers by CNICSCAN_WORKER_PRELOAD: any that opens a file whose name holds "poison" dies of SIGILL, every time. It
   stands for a card image that crashes the libraries reading it. Supervisors, which hash the same file, are not preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

static void swallow(const char *path) {
  if (path != NULL && strstr(path, "poison") != NULL) __builtin_trap();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MODE(last) mode_t mode; va_list rest; va_start(rest, last); mode = va_arg(rest, mode_t); va_end(rest)

int open(const char *path, int flags, ...) { MODE(flags); swallow(path); return REAL(open)(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags); swallow(path); return REAL(open64)(path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags); swallow(path); return REAL(openat)(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags); swallow(path); return REAL(openat64)(at, path, flags, mode); }
FILE *fopen(const char *path, const char *how) { swallow(path); return REAL(fopen)(path, how); }
FILE *fopen64(const char *path, const char *how) { swallow(path); return REAL(fopen64)(path, how); }
