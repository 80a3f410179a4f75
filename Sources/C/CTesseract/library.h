/* Tesseract's C API and the Leptonica calls that make its images. */
#include <tesseract/capi.h>
#include <leptonica/allheaders.h>
