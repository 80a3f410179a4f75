/* Loading an image from bytes that nobody vouches for, and writing one. Owner: imaging. */
#ifndef CVIPS_IMAGE_H
#define CVIPS_IMAGE_H
#include <stddef.h>
#include <stdint.h>

/* Starts libvips for reading what strangers send: loaders that libvips calls untrusted are blocked before anything is read. */
int cvips_start_untrusted(void);
/* Allows PDF again, which libvips counts as untrusted; for the whole process. */
void cvips_allow_pdf(void);

/* The loader is chosen by the caller from the file's first bytes: libvips never guesses, so that no other can be reached. */
enum cvips_format {
  CVIPS_JPEG = 1, CVIPS_PNG = 2, CVIPS_TIFF = 3, CVIPS_WEBP = 4, CVIPS_GIF = 5, CVIPS_HEIF = 6, CVIPS_PDF = 7
};

typedef struct {
  int width, height; /* of the page, before its orientation is applied */
  int pages;
} cvips_header;

/* Reads the header alone. 0 on success; else -1 and the library's words in `diagnostic`. */
int cvips_read_header(const void *bytes, size_t length, int format, int page, cvips_header *header, char *diagnostic,
                      size_t diagnostic_size);

/* Decodes a page to sRGB, 8 bits, 3 channels, upright after its orientation tag, without alpha (on white).
   `shrink`: 1, 2, 4 or 8, for JPEG only. `strict`: a file that ends too soon is an error; else what is there is given.
   `pixels` is freed with cvips_free. */
int cvips_decode(const void *bytes, size_t length, int format, int page, int shrink, int strict, uint8_t **pixels,
                 int *width, int *height, char *diagnostic, size_t diagnostic_size);

/* Encodes 8-bit grey or RGB as JPEG at a quality. `encoded` is freed with cvips_free. */
int cvips_encode_jpeg(const uint8_t *pixels, int width, int height, int channels, int quality, void **encoded,
                      size_t *length);
void cvips_free(void *memory);
#endif
