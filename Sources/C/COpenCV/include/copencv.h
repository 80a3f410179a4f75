/* OpenCV's core and imgproc behind C: each entry point catches every exception. */
#ifndef COPENCV_H
#define COPENCV_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
const char *copencv_version(void);
#ifdef __cplusplus
}
#endif
#endif
