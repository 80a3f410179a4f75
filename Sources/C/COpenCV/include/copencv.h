/* OpenCV's core and imgproc behind C: each entry point catches every exception.

   Shape, everywhere: 8-bit samples, rows without padding, `channels` 1 (grey) or 3 (RGB); `out` is the caller's and large
   enough. Every function gives 0 (or a count) on success and -1 where OpenCV refused. Owner: imaging; anyone may use or add. */
#ifndef COPENCV_H
#define COPENCV_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
const char *copencv_version(void);

/* One thread, no OpenCL: a worker has one core. Call once before the rest. */
void copencv_start(void);

enum copencv_sampling {
  COPENCV_NEAREST = 0,
  COPENCV_LINEAR = 1,
  COPENCV_CUBIC = 2,
  COPENCV_AREA = 3,
  /* copencv_warp_quad's LINEAR without the processor's vector instructions, the same to the last bit: for processors that lack them. */
  COPENCV_LINEAR_PLAIN = 4
};

/* Resizes to out_width x out_height. AREA for shrinking, CUBIC or LINEAR for enlarging. */
int copencv_resize(const uint8_t *in, int width, int height, int channels, uint8_t *out, int out_width, int out_height,
                   int sampling);

/* Takes the quad `corners` (x0,y0,...,x3,y3 in pixel-edge coordinates: 0,0 is the outer corner of the first pixel; clockwise
   from the one that becomes the top left) to a whole out_width x out_height image. Outside the input, the border is repeated.
   It does not average: shrink the input first where the quad is much larger than the output. */
int copencv_warp_quad(const uint8_t *in, int width, int height, int channels, const double corners[8], uint8_t *out,
                      int out_width, int out_height, int sampling);

/* Gaussian blur; sigma in pixels. */
int copencv_gaussian(const uint8_t *in, int width, int height, int channels, double sigma, uint8_t *out);

/* Median over size x size; size odd, at least 3. */
int copencv_median(const uint8_t *in, int width, int height, int channels, int size, uint8_t *out);

/* Grey only. 255 where a pixel is above the mean of its block x block neighbourhood less `offset`, else 0; block odd. */
int copencv_adaptive_mean(const uint8_t *in, int width, int height, int block, double offset, uint8_t *out);

/* Grey only. Otsu's threshold of the image, 0...255; -1 on failure. */
int copencv_otsu(const uint8_t *in, int width, int height);

enum copencv_morphology { COPENCV_ERODE = 0, COPENCV_DILATE = 1, COPENCV_OPEN = 2, COPENCV_CLOSE = 3 };

/* Grey or mask, with a rectangle of kernel_width x kernel_height. */
int copencv_morphology(const uint8_t *in, int width, int height, int operation, int kernel_width, int kernel_height,
                       uint8_t *out);

/* Turns the image clockwise by quarter turns (1, 2 or 3); `out` has the sides swapped for 1 and 3. */
int copencv_turn(const uint8_t *in, int width, int height, int channels, int quarters, uint8_t *out);

/* RGB or grey. Canny's edges over the strongest channel's gradient at each pixel (card and paper may differ in colour alone), for
   `count` pairs of a low and a high threshold in units of the 3x3 Sobel's L1 norm. As many masks of 0 and 255, one after another. */
int copencv_edges(const uint8_t *in, int width, int height, int channels, const double *thresholds, int count, uint8_t *out);

/* RGB. Distance of each pixel's Lab colour from those of a frame `margin` pixels wide, in standard deviations times 16,
   capped at 255: what lies on a table or a scanner's lid stands out. */
int copencv_distance_from_border(const uint8_t *in, int width, int height, int margin, uint8_t *out);

/* RGB. Saturation: the largest channel less the smallest. */
int copencv_saturation(const uint8_t *in, int width, int height, uint8_t *out);

/* The convex hulls of a mask's contours of at least min_area, simplified to `tolerance` pixels, as a stream of doubles: number of
   corners, then x, y of each (pixel-edge coordinates). Outer contours alone, or holes as well. Gives the doubles written. */
int copencv_hulls(const uint8_t *mask, int width, int height, double min_area, double tolerance, int with_holes, double *out,
                  int capacity);

/* The corners of the smallest rectangle around a mask's contour of at least min_area, 8 doubles each, up to `capacity`
   rectangles. Gives the rectangles written. */
int copencv_rectangles(const uint8_t *mask, int width, int height, double min_area, double *out, int capacity);

/* Grey only. Straight segments (LSD) of at least min_length, as x0, y0, x1, y1. Gives the segments written. */
int copencv_segments(const uint8_t *in, int width, int height, double min_length, double *out, int capacity);

/* Grey only. Mean absolute horizontal and vertical differences over a grid of columns x rows cells, 0...255 each. */
int copencv_gradient_grid(const uint8_t *in, int width, int height, int columns, int rows, float *horizontal,
                          float *vertical);
/* Grey only. How steep the image's edges are against the contrast they bridge: about 1 where they rise from one pixel to the
   next, 0.1 where they take ten. The mean over the steepest tenth of the places with contrast; -1 on failure. */
double copencv_edge_steepness(const uint8_t *in, int width, int height);
#ifdef __cplusplus
}
#endif
#endif
