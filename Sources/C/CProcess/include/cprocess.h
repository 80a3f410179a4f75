/* Process plumbing that Swift cannot express: Landlock, seccomp, prctl, rlimits. */
#ifndef CPROCESS_H
#define CPROCESS_H
/* The Landlock ABI version that the kernel offers, 0 where there is none. */
int cprocess_landlock_version(void);
#endif
