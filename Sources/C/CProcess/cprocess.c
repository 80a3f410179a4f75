#define _GNU_SOURCE
#include "cprocess.h"
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

int cprocess_landlock_version(void) {
  long v = syscall(SYS_landlock_create_ruleset, (void *)0, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return v < 0 ? 0 : (int)v;
}
