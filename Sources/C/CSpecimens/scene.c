#include "cspecimens.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline uint8_t clamp8(float v) { return v <= 0 ? 0 : v >= 255 ? 255 : (uint8_t)(v + 0.5f); }

static inline uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

void cspecimens_lay_over(uint8_t *rgb, const uint8_t *rgba, int width, int height) {
  size_t count = (size_t)width * height;
  for (size_t i = 0; i < count; i++, rgb += 3, rgba += 4) {
    unsigned alpha = rgba[3];
    if (alpha == 0) continue;
    for (int c = 0; c < 3; c++) {
      unsigned v = rgba[c] + (rgb[c] * (255 - alpha) + 127) / 255;
      rgb[c] = v > 255 ? 255 : (uint8_t)v;
    }
  }
}

int cspecimens_ink_box(const uint8_t *rgba, int width, int height, int x0, int y0, int x1, int y1, int out[4]) {
  int left = width, top = height, right = 0, bottom = 0;
  if (x0 < 0) x0 = 0;
  if (y0 < 0) y0 = 0;
  if (x1 > width) x1 = width;
  if (y1 > height) y1 = height;
  for (int y = y0; y < y1; y++) {
    const uint8_t *row = rgba + (size_t)y * width * 4;
    for (int x = x0; x < x1; x++) {
      if (row[x * 4 + 3] < 128) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  if (right <= left) return 1;
  out[0] = left, out[1] = top, out[2] = right, out[3] = bottom;
  return 0;
}

/* Value noise in 0...1 on a lattice of hashed values, smoothly interpolated. */
static inline float lattice(int x, int y, uint64_t seed) {
  uint64_t h = mix(seed ^ ((uint64_t)(uint32_t)x * 0x8DA6B343u) ^ ((uint64_t)(uint32_t)y << 32));
  return (float)(h >> 40) / 16777216.0f;
}
static float value_noise(float x, float y, uint64_t seed) {
  float fx = floorf(x), fy = floorf(y);
  int ix = (int)fx, iy = (int)fy;
  float u = x - fx, v = y - fy;
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  float a = lattice(ix, iy, seed), b = lattice(ix + 1, iy, seed), c = lattice(ix, iy + 1, seed),
        d = lattice(ix + 1, iy + 1, seed);
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

/* The texture is made at half size and doubled: it is soft anyway, and this is four times as fast. */
void cspecimens_desk(uint8_t *rgb, int width, int height, int kind, double scale, double contrast, const uint8_t colour[3],
                     uint64_t seed) {
  float s = 1.0f / (float)(scale < 2 ? 2 : scale), k = (float)contrast;
  int half = (width + 1) / 2;
  float *line = malloc(sizeof(float) * (size_t)half);
  if (line == NULL) return;
  for (int y = 0; y < height; y++) {
    if ((y & 1) == 0) {
      for (int i = 0; i < half; i++) {
        float x = (float)(2 * i), yy = (float)y, t = 0;
        switch (kind) {
        case 1: {
          float bend = value_noise(x * s * 0.08f, yy * s * 0.3f, seed) * 6;
          float rings = sinf((yy * s * 0.9f + bend) * 2.1f);
          t = 0.5f * rings + value_noise(x * s * 0.25f, yy * s * 3.5f, seed + 7) - 0.5f;
          break;
        }
        case 2:
          t = 0.6f * sinf(x * s * 3.1f) * sinf(yy * s * 3.1f) + value_noise(x * s * 2, yy * s * 2, seed) - 0.5f;
          break;
        case 3: {
          float bend = value_noise(x * s * 0.3f, yy * s * 0.3f, seed) * 4;
          t = fabsf(sinf(x * s * 0.2f + yy * s * 0.13f + bend)) - 0.6f;
          break;
        }
        case 4: t = 0.5f * (value_noise(x * s, yy * s, seed) - 0.5f); break;
        default: t = 0.7f * (value_noise(x * s * 0.2f, yy * s * 0.2f, seed) - 0.5f); break;
        }
        line[i] = 1 + k * t;
      }
    }
    uint8_t *to = rgb + (size_t)y * width * 3;
    for (int x = 0; x < width; x++, to += 3) {
      float m = line[x >> 1];
      to[0] = clamp8(colour[0] * m), to[1] = clamp8(colour[1] * m), to[2] = clamp8(colour[2] * m);
    }
  }
  free(line);
}

/* How far inside the rounded card a point is, in card pixels (negative outside). */
static inline float inside_by(float x, float y, float w, float h, float r) {
  float qx = fabsf(x - w / 2) - (w / 2 - r), qy = fabsf(y - h / 2) - (h / 2 - r);
  float ox = qx > 0 ? qx : 0, oy = qy > 0 ? qy : 0;
  float in = qx > qy ? qx : qy;
  return r - (sqrtf(ox * ox + oy * oy) + (in < 0 ? in : 0));
}

static inline void sample(const uint8_t *card, int w, int h, float x, float y, float out[3]) {
  x -= 0.5f, y -= 0.5f;
  if (x < 0) x = 0;
  if (y < 0) y = 0;
  if (x > w - 1.001f) x = w - 1.001f;
  if (y > h - 1.001f) y = h - 1.001f;
  int ix = (int)x, iy = (int)y;
  float u = x - ix, v = y - iy;
  const uint8_t *a = card + ((size_t)iy * w + ix) * 3, *b = a + (size_t)w * 3;
  for (int c = 0; c < 3; c++) {
    float top = a[c] + (a[c + 3] - a[c]) * u, low = b[c] + (b[c + 3] - b[c]) * u;
    out[c] += top + (low - top) * v;
  }
}

void cspecimens_warp(const uint8_t *card, int card_width, int card_height, const double inverse[9], double radius,
                     double shadow, double sx, double sy, uint8_t *scene, int width, int height) {
  float m[9];
  for (int i = 0; i < 9; i++) m[i] = (float)inverse[i];
  float w = (float)card_width, h = (float)card_height, r = (float)radius;
  float reach = (float)(fabs(sx) + fabs(sy)) + 0.02f * w;
  for (int y = 0; y < height; y++) {
    uint8_t *to = scene + (size_t)y * width * 3;
    for (int x = 0; x < width; x++, to += 3) {
      float px = x + 0.5f, py = y + 0.5f;
      float z = m[6] * px + m[7] * py + m[8];
      if (z <= 1e-6f) continue;
      float u = (m[0] * px + m[1] * py + m[2]) / z, v = (m[3] * px + m[4] * py + m[5]) / z;
      if (u < -reach || v < -reach || u > w + reach || v > h + reach) continue;
      float edge = 2;
      /* Only near the outline does it matter how far inside a point is. */
      if (u < r || v < 3 || u > w - r || v > h - 3) {
        /* Card pixels a scene pixel spans, for the soft edge. */
        float span = sqrtf(fabsf(m[0] * m[4] - m[1] * m[3])) / z;
        edge = inside_by(u, v, w, h, r) / span + 0.5f;
      }
      if (edge <= 1 && shadow > 0) {
        float depth = inside_by(u - (float)sx, v - (float)sy, w, h, r) / (0.012f * w) + 0.5f;
        depth = depth < 0 ? 0 : depth > 1 ? 1 : depth;
        float keep = 1 - (float)shadow * depth;
        for (int c = 0; c < 3; c++) to[c] = clamp8(to[c] * keep);
      }
      if (edge <= 0) continue;
      if (edge > 1) edge = 1;
      /* Two samples a pixel: the face is drawn a third larger than it is needed. */
      float sum[3] = {0, 0, 0};
      float du = 0.25f * (m[0] + m[1] - u * (m[6] + m[7])) / z, dv = 0.25f * (m[3] + m[4] - v * (m[6] + m[7])) / z;
      sample(card, card_width, card_height, u - du, v - dv, sum);
      sample(card, card_width, card_height, u + du, v + dv, sum);
      for (int c = 0; c < 3; c++) to[c] = clamp8(to[c] * (1 - edge) + sum[c] * 0.5f * edge);
    }
  }
}

void cspecimens_turn(const uint8_t *rgb, int width, int height, int quarters, uint8_t *out) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      size_t to;
      switch (quarters & 3) {
      case 1: to = (size_t)x * height + (height - 1 - y); break;
      case 2: to = (size_t)(height - 1 - y) * width + (width - 1 - x); break;
      case 3: to = (size_t)(width - 1 - x) * height + y; break;
      default: to = (size_t)y * width + x; break;
      }
      memcpy(out + to * 3, rgb + ((size_t)y * width + x) * 3, 3);
    }
  }
}
