/* ZXing's reader behind C. Every entry point catches every exception. */
#ifndef CZXING_H
#define CZXING_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
const char *czxing_version(void);
#ifdef __cplusplus
}
#endif
#endif
