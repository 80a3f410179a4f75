/* ZXing's reader behind C. Every entry point catches every exception; no call aborts on what is in an image as long as
   one symbol at a time is asked for (Debian's ZXing 1.4.0 has its assertions on; see czxing.cpp). */
#ifndef CZXING_H
#define CZXING_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Of the library's headers, e.g. "1.4.0". */
const char *czxing_version(void);

/* Bits of formats and of the answer's format. */
enum { CZXING_QR = 1, CZXING_PDF417 = 2, CZXING_CODE128 = 4 };

/* What to try. binarizer: 0 local average, 1 global histogram, 2 fixed threshold 127, 3 any sample above 0 is white. */
typedef struct {
  int formats;
  int binarizer;
  int try_harder;
  int try_rotate;
  int try_downscale;
  int is_pure;
} czxing_hints;

/* One symbol. bytes is the exact payload, owned by the caller (czxing_free); corners are x, y pairs in pixels from the
   symbol's own top left, clockwise. */
typedef struct {
  int format;
  uint8_t *bytes;
  size_t length;
  int corners[8];
  int sequence_size;  /* -1: not part of a sequence; 0: of one of unknown length */
  int sequence_index;
} czxing_symbol;

/* Reads one symbol from 8-bit grey samples, row_stride bytes a row. Returns 1 and fills symbol, 0 where nothing decodes,
   -1 where the library threw. */
int czxing_read(const uint8_t *samples, int width, int height, int row_stride, const czxing_hints *hints,
                czxing_symbol *symbol);

/* Frees the payload. */
void czxing_free(czxing_symbol *symbol);

#ifdef __cplusplus
}
#endif
#endif
