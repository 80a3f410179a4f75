/* Steps that make barcodes readable, by OpenCV's core and imgproc. Shape as in copencv.h: 8-bit grey, rows without padding;
   `out` is the caller's. Every function gives 0 (or a count) on success and -1 where OpenCV refused. Owner: barcode decoding. */
#ifndef BARCODE_OPS_H
#define BARCODE_OPS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A rectangle that may be turned: centre, width along the bars' rows, height, clockwise degrees in (-90, 90]. */
typedef struct {
  double x, y, width, height, degrees;
} barcode_band;

/* Finds regions dense in upright strokes, as PDF417 and Code 128 are however blurred, widest first. `tilted` 0 looks for rows
   within some 20 degrees of horizontal, 1 for rows in any direction. Gives the bands written, at most `capacity`. */
int barcode_bands(const uint8_t *in, int width, int height, int tilted, barcode_band *out, int capacity);

/* out[x, y] = in[m0 x + m1 y + m2, m3 x + m4 y + m5], bicubic, the border repeated. */
int barcode_sample(const uint8_t *in, int width, int height, const double matrix[6], uint8_t *out, int out_width,
                   int out_height);

/* out = in + amount (in - gaussian(in, sigma)), clipped. */
int barcode_unsharp(const uint8_t *in, int width, int height, double sigma, double amount, uint8_t *out);

/* Stretches each neighbourhood of `block` pixels between its own darkest and lightest, so that glare and shade level out. */
int barcode_level(const uint8_t *in, int width, int height, int block, uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
