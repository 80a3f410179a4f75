#include "cspecimens.h"
#include <math.h>
#include <stdlib.h>

static inline uint8_t clamp8(float v) { return v <= 0 ? 0 : v >= 255 ? 255 : (uint8_t)(v + 0.5f); }

void cspecimens_blur(uint8_t *rgb, int width, int height, double sigma) {
  if (sigma < 0.15) return;
  int radius = (int)ceil(sigma * 2.6);
  if (radius > 40) radius = 40;
  float weights[81], sum = 0;
  for (int i = -radius; i <= radius; i++) sum += weights[i + radius] = (float)exp(-0.5 * i * i / (sigma * sigma));
  for (int i = 0; i <= 2 * radius; i++) weights[i] /= sum;
  size_t row = (size_t)width * 3;
  float *middle = malloc(sizeof(float) * row * (size_t)height), *line = malloc(sizeof(float) * (row + 6 * (size_t)radius));
  if (middle != NULL && line != NULL) {
    for (int y = 0; y < height; y++) {
      const uint8_t *from = rgb + (size_t)y * row;
      for (int x = -radius; x < width + radius; x++) {
        int at = x < 0 ? 0 : x >= width ? width - 1 : x;
        for (int c = 0; c < 3; c++) line[(size_t)(x + radius) * 3 + c] = from[at * 3 + c];
      }
      float *to = middle + (size_t)y * row;
      for (size_t i = 0; i < row; i++) to[i] = 0;
      for (int k = 0; k <= 2 * radius; k++) {
        const float *shifted = line + k * 3;
        float weight = weights[k];
        for (size_t i = 0; i < row; i++) to[i] += weight * shifted[i];
      }
    }
    for (int y = 0; y < height; y++) {
      for (size_t i = 0; i < row; i++) line[i] = 0.5f;
      for (int k = -radius; k <= radius; k++) {
        int at = y + k < 0 ? 0 : y + k >= height ? height - 1 : y + k;
        const float *from = middle + (size_t)at * row;
        float weight = weights[k + radius];
        for (size_t i = 0; i < row; i++) line[i] += weight * from[i];
      }
      uint8_t *to = rgb + (size_t)y * row;
      for (size_t i = 0; i < row; i++) to[i] = line[i] >= 255 ? 255 : (uint8_t)line[i];
    }
  }
  free(middle);
  free(line);
}

void cspecimens_motion(uint8_t *rgb, int width, int height, double length, double angle) {
  enum { reach = 12, side = 2 * reach + 1 };
  if (length < 0.3) return;
  if (length > 2 * reach - 2) length = 2 * reach - 2;
  float kernel[side][side] = {{0}};
  int steps = 60;
  for (int i = 0; i < steps; i++) {
    double t = (i + 0.5) / steps * length - length / 2, x = t * cos(angle) + reach, y = t * sin(angle) + reach;
    int ix = (int)floor(x), iy = (int)floor(y);
    float u = (float)(x - ix), v = (float)(y - iy), one = 1.0f / steps;
    kernel[iy][ix] += one * (1 - u) * (1 - v);
    kernel[iy][ix + 1] += one * u * (1 - v);
    kernel[iy + 1][ix] += one * (1 - u) * v;
    kernel[iy + 1][ix + 1] += one * u * v;
  }
  size_t row = (size_t)width * 3, count = row * (size_t)height;
  uint8_t *source = malloc(count);
  float *line = malloc(sizeof(float) * row);
  if (source != NULL && line != NULL) {
    for (size_t i = 0; i < count; i++) source[i] = rgb[i];
    for (int y = 0; y < height; y++) {
      for (size_t i = 0; i < row; i++) line[i] = 0.5f;
      for (int ky = 0; ky < side; ky++) {
        for (int kx = 0; kx < side; kx++) {
          float weight = kernel[ky][kx];
          if (weight == 0) continue;
          int at = y + ky - reach, shift = kx - reach;
          at = at < 0 ? 0 : at >= height ? height - 1 : at;
          const uint8_t *from = source + (size_t)at * row;
          int first = shift < 0 ? -shift : 0, last = shift > 0 ? width - shift : width;
          for (int x = 0; x < first; x++)
            for (int c = 0; c < 3; c++) line[x * 3 + c] += weight * from[c];
          for (int i = first * 3; i < last * 3; i++) line[i] += weight * from[i + shift * 3];
          for (int x = last; x < width; x++)
            for (int c = 0; c < 3; c++) line[x * 3 + c] += weight * from[(width - 1) * 3 + c];
        }
      }
      uint8_t *to = rgb + (size_t)y * row;
      for (size_t i = 0; i < row; i++) to[i] = line[i] >= 255 ? 255 : (uint8_t)line[i];
    }
  }
  free(source);
  free(line);
}

/* The sum of the four 16-bit parts of a random word is close enough to a normal deviate for noise: one word a sample. */
static inline float deviate(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15ull;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = z ^ (z >> 31);
  uint32_t sum = (uint32_t)(z & 0xFFFF) + (uint32_t)((z >> 16) & 0xFFFF) + (uint32_t)((z >> 32) & 0xFFFF) +
                 (uint32_t)(z >> 48);
  return ((float)sum - 131070.0f) * (1.0f / 37837.0f);
}

void cspecimens_noise(uint8_t *rgb, int width, int height, double sigma, double chroma, uint64_t seed) {
  if (sigma <= 0) return;
  uint64_t state = seed;
  size_t count = (size_t)width * height;
  float shared = (float)(sigma * sqrt(1 - chroma)), own = (float)(sigma * sqrt(chroma));
  for (size_t i = 0; i < count; i++, rgb += 3) {
    float luma = shared * deviate(&state);
    for (int c = 0; c < 3; c++) rgb[c] = clamp8(rgb[c] + luma + (own > 0 ? own * deviate(&state) : 0));
  }
}

void cspecimens_light(uint8_t *rgb, int width, int height, double base, double gx, double gy, double vignette) {
  for (int y = 0; y < height; y++) {
    float v = (float)(y + 0.5) / height - 0.5f;
    for (int x = 0; x < width; x++, rgb += 3) {
      float u = (float)(x + 0.5) / width - 0.5f;
      float m = (float)base + (float)gx * u + (float)gy * v - (float)vignette * (u * u + v * v);
      if (m < 0.05f) m = 0.05f;
      for (int c = 0; c < 3; c++) rgb[c] = clamp8(rgb[c] * m);
    }
  }
}

void cspecimens_glare(uint8_t *rgb, int width, int height, double cx, double cy, double rx, double ry, double angle,
                      double strength, double flat) {
  float ca = (float)cos(angle), sa = (float)sin(angle);
  for (int y = 0; y < height; y++) {
    uint8_t *to = rgb + (size_t)y * width * 3;
    for (int x = 0; x < width; x++, to += 3) {
      float dx = x - (float)cx, dy = y - (float)cy;
      float u = (dx * ca + dy * sa) / (float)rx, v = (-dx * sa + dy * ca) / (float)ry;
      float d = u * u + v * v;
      if (d > 7) continue;
      float r = sqrtf(d) - (float)flat;
      if (r < 0) r = 0;
      float add = (float)strength * expf(-0.9f * r * r);
      for (int c = 0; c < 3; c++) to[c] = clamp8(to[c] + add);
    }
  }
}

void cspecimens_shade(uint8_t *rgb, int width, int height, double cx, double cy, double angle, double softness,
                      double depth) {
  float ca = (float)cos(angle), sa = (float)sin(angle);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++, rgb += 3) {
      float t = ((x - (float)cx) * ca + (y - (float)cy) * sa) / (float)softness + 0.5f;
      t = t < 0 ? 0 : t > 1 ? 1 : t;
      float keep = 1 - (float)depth * t * t * (3 - 2 * t);
      for (int c = 0; c < 3; c++) rgb[c] = clamp8(rgb[c] * keep);
    }
  }
}

void cspecimens_moire(uint8_t *rgb, int width, int height, double period, double angle, double bend, double amplitude) {
  float fx = (float)(6.2831853 * cos(angle) / period), fy = (float)(6.2831853 * sin(angle) / period);
  for (int y = 0; y < height; y++) {
    float wave = (float)bend * sinf(y * 6.2831853f / height);
    for (int x = 0; x < width; x++, rgb += 3) {
      float t = fx * x + fy * y + wave;
      float r = (float)amplitude * sinf(t), g = (float)amplitude * sinf(t + 0.7f);
      rgb[0] = clamp8(rgb[0] + r), rgb[1] = clamp8(rgb[1] + g), rgb[2] = clamp8(rgb[2] - 0.5f * (r + g));
    }
  }
}

void cspecimens_tone(uint8_t *rgb, int width, int height, double contrast, double brightness, double saturation,
                     const double gain[3]) {
  float k = (float)contrast, b = (float)brightness, s = (float)saturation;
  float g0 = (float)gain[0], g1 = (float)gain[1], g2 = (float)gain[2];
  size_t count = (size_t)width * height;
  for (size_t i = 0; i < count; i++, rgb += 3) {
    float r = rgb[0] * g0, g = rgb[1] * g1, bl = rgb[2] * g2;
    float luma = 0.299f * r + 0.587f * g + 0.114f * bl;
    rgb[0] = clamp8((luma + (r - luma) * s - 128) * k + 128 + b);
    rgb[1] = clamp8((luma + (g - luma) * s - 128) * k + 128 + b);
    rgb[2] = clamp8((luma + (bl - luma) * s - 128) * k + 128 + b);
  }
}
