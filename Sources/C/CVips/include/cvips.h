/* What Swift cannot call of libvips: its operations are variadic. One function per operation used. */
#ifndef CVIPS_H
#define CVIPS_H
#include <stddef.h>
#include <stdint.h>
/* Starts libvips once for the process: one thread, no operation cache. 0 on success. */
int cvips_start(void);
/* The library in use, e.g. "8.14.1". */
const char *cvips_version(void);
#endif
