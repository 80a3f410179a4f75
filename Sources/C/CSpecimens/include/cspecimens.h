/*
 * What drawing specimens needs of C: rendering SVG through librsvg and cairo, writing image files through libvips, and
 * the loops over pixels of damage, which would be far too slow in a debug build of Swift.
 *
 * Pixels are 8 bits a sample, RGB side by side, rows from the top left without padding. Every function works in place
 * or into memory that the caller owns, keeps no state, and gives the same pixels for the same arguments.
 * SVG goes to librsvg directly and not through libvips, because `imaging` blocks libvips' SVG loader for the whole process.
 */
#ifndef CSPECIMENS_H
#define CSPECIMENS_H
#include <stddef.h>
#include <stdint.h>

/* Makes a fontconfig configuration (its XML) this process's own. Choosing among all the fonts of a machine takes a third
 * of the time of drawing a card; among those that cards use it takes next to nothing. 0 on success. */
int cspecimens_use_fonts(const char *configuration);

/* Renders an SVG document to width x height pixels of premultiplied RGBA (4 bytes a pixel). 0 on success. */
int cspecimens_render_svg(const char *svg, size_t length, int width, int height, uint8_t *rgba);

/* Lays premultiplied RGBA over RGB of the same size. */
void cspecimens_lay_over(uint8_t *rgb, const uint8_t *rgba, int width, int height);

/* The box of what is at least half opaque inside [x0,x1) x [y0,y1): out = left, top, right, bottom (exclusive).
 * Returns 0, or 1 where nothing is. */
int cspecimens_ink_box(const uint8_t *rgba, int width, int height, int x0, int y0, int x1, int y1, int out[4]);

/* A table or desk: kind 0 plain, 1 wood, 2 cloth, 3 marble, 4 paper; `scale` is the size of its grain in pixels. */
void cspecimens_desk(uint8_t *rgb, int width, int height, int kind, double scale, double contrast, const uint8_t colour[3],
                     uint64_t seed);

/* Lays a card into the scene. `inverse` (3 x 3, row by row) takes scene pixels to card pixels; the card's corners are
 * round with `radius` card pixels. `shadow` 0...1 darkens the scene beside the card, displaced by sx, sy card pixels. */
void cspecimens_warp(const uint8_t *card, int card_width, int card_height, const double inverse[9], double radius,
                     double shadow, double sx, double sy, uint8_t *scene, int width, int height);

void cspecimens_blur(uint8_t *rgb, int width, int height, double sigma);
/* Motion blur: `length` pixels along `angle` (radians). */
void cspecimens_motion(uint8_t *rgb, int width, int height, double length, double angle);
/* Gaussian noise; `chroma` 0...1 says how much of it differs between the channels. */
void cspecimens_noise(uint8_t *rgb, int width, int height, double sigma, double chroma, uint64_t seed);
/* Uneven light: multiplies by base + gx (x/width - .5) + gy (y/height - .5), less `vignette` times the squared radius. */
void cspecimens_light(uint8_t *rgb, int width, int height, double base, double gx, double gy, double vignette);
/* A bright reflection: adds strength (0...255) exp(-.9 r^2) of an ellipse; `flat` 0...1 widens its saturated core. */
void cspecimens_glare(uint8_t *rgb, int width, int height, double cx, double cy, double rx, double ry, double angle,
                      double strength, double flat);
/* A soft-edged shadow over the half plane beyond the line through (cx, cy) at `angle`; `softness` in pixels. */
void cspecimens_shade(uint8_t *rgb, int width, int height, double cx, double cy, double angle, double softness,
                      double depth);
/* Moire: a sine pattern of `period` pixels along `angle`, bent by `bend`, of `amplitude` grey levels. */
void cspecimens_moire(uint8_t *rgb, int width, int height, double period, double angle, double bend, double amplitude);
/* out = ((grey mix of) in * gain[c] - 128) * contrast + 128 + brightness. saturation 0 makes grey. */
void cspecimens_tone(uint8_t *rgb, int width, int height, double contrast, double brightness, double saturation,
                     const double gain[3]);
/* Clockwise turns by `quarters` * 90 degrees into `out` (width and height change places for odd ones). */
void cspecimens_turn(const uint8_t *rgb, int width, int height, int quarters, uint8_t *out);

/* Encodes RGB (channels 3) or grey (channels 1) pixels. `out` is to be released with cspecimens_free. 0 on success. */
int cspecimens_encode_jpeg(const uint8_t *pixels, int width, int height, int channels, int quality, int dpi, void **out,
                           size_t *length);
int cspecimens_encode_png(const uint8_t *pixels, int width, int height, int channels, int dpi, void **out, size_t *length);
/* page_height > 0: the image is pages of that height one below the other, and becomes a file of several pages. */
int cspecimens_encode_tiff(const uint8_t *pixels, int width, int height, int channels, int dpi, int page_height, void **out,
                           size_t *length);
void cspecimens_free(void *memory);
/* Decodes a JPEG of known size into RGB pixels (JPEG of JPEG). 0 on success. */
int cspecimens_decode_jpeg(const void *data, size_t length, int width, int height, uint8_t *rgb);
#endif
