#include "samples.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

/* Unwarping: the projection by OpenCV, the pixels in a loop of our own where they are mixed linearly. */

namespace {

/* A row of positions in the input for a row of the output, in 1/32 of a pixel, kept inside the image by its last 32nd. */
void positions(const double back[9], int y, int count, int width, int height, int32_t *xs, int32_t *ys) {
  const float right = float(width - 1) - 1.0f / 32, bottom = float(height - 1) - 1.0f / 32;
  const float x0 = float(back[1] * y + back[2]), y0 = float(back[4] * y + back[5]), w0 = float(back[7] * y + back[8]);
  const float dx = float(back[0]), dy = float(back[3]), dw = float(back[6]);
  for (int i = 0; i < count; i++) {
    float scale = 32.0f / (w0 + dw * float(i));
    float x = (x0 + dx * float(i)) * scale, y_ = (y0 + dy * float(i)) * scale;
    x = x > 0 ? (x < right * 32 ? x : right * 32) : 0;
    y_ = y_ > 0 ? (y_ < bottom * 32 ? y_ : bottom * 32) : 0;
    xs[i] = int32_t(x + 0.5f);
    ys[i] = int32_t(y_ + 0.5f);
  }
}

/* A pixel between four, `across` and `down` in 1/32: 13 bits after the first step, rounded to 10 before the second. */
int between(int upper_left, int upper_right, int lower_left, int lower_right, int across, int down) {
  const int high = (upper_left * 32 + (upper_right - upper_left) * across + 4) >> 3;
  const int low = (lower_left * 32 + (lower_right - lower_left) * across + 4) >> 3;
  return (high * 32 + (low - high) * down + 64) >> 7;
}

typedef uint8_t Bytes4 __attribute__((vector_size(4)));
typedef int16_t Words4 __attribute__((vector_size(8)));

/* Four samples from `p` on; one more than a pixel has, so that the image's last pixel must not be asked. */
inline Words4 samples(const uint8_t *p) {
  Bytes4 bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, Words4);
}

/* Bilinear. cv::warpPerspective does the same, to the same 32nd of a pixel, in 1.4 times the instructions (Benchmarks.md). */
template <int channels>
void warp_linear(const uint8_t *in, int width, int height, const double back[9], uint8_t *out, int out_width, int out_height) {
  std::vector<int32_t> xs(static_cast<size_t>(out_width)), ys(static_cast<size_t>(out_width));
  const size_t stride = size_t(width) * channels;
  for (int y = 0; y < out_height; y++) {
    positions(back, y, out_width, width, height, xs.data(), ys.data());
    uint8_t *to = out + size_t(y) * size_t(out_width) * channels;
    for (int x = 0; x < out_width; x++, to += channels) {
      const int left = xs[size_t(x)] >> 5, top = ys[size_t(x)] >> 5;
      const int across = xs[size_t(x)] & 31, down = ys[size_t(x)] & 31;
      const uint8_t *above = in + size_t(top) * stride + size_t(left) * channels, *below = above + stride;
      if (channels == 3 && left < width - 2) {
        const Words4 upper = samples(above), lower = samples(below);
        const Words4 high = (upper * 32 + (samples(above + 3) - upper) * int16_t(across) + 4) >> 3;
        const Words4 low = (lower * 32 + (samples(below + 3) - lower) * int16_t(across) + 4) >> 3;
        const Bytes4 mixed = __builtin_convertvector((high * 32 + (low - high) * int16_t(down) + 64) >> 7, Bytes4);
        std::memcpy(to, &mixed, 3);
      } else {
        for (int c = 0; c < channels; c++) {
          to[c] = uint8_t(between(above[c], above[c + channels], below[c], below[c + channels], across, down));
        }
      }
    }
  }
}

} // namespace

extern "C" {

int copencv_warp_quad(const uint8_t *in, int width, int height, int channels, const double corners[8], uint8_t *out,
                      int out_width, int out_height, int sampling) {
  return guarded([&] {
    cv::Point2f from[4], to[4];
    for (int i = 0; i < 4; i++) {
      from[i] = cv::Point2f(float(corners[2 * i] - 0.5), float(corners[2 * i + 1] - 0.5));
    }
    const float right = float(out_width) - 0.5f, bottom = float(out_height) - 0.5f;
    to[0] = cv::Point2f(-0.5f, -0.5f);
    to[1] = cv::Point2f(right, -0.5f);
    to[2] = cv::Point2f(right, bottom);
    to[3] = cv::Point2f(-0.5f, bottom);
    cv::Mat back = cv::getPerspectiveTransform(to, from);
    if (sampling == COPENCV_LINEAR && width > 1 && height > 1 && (channels == 1 || channels == 3)) {
      const double *matrix = back.ptr<double>();
      if (channels == 1) {
        warp_linear<1>(in, width, height, matrix, out, out_width, out_height);
      } else {
        warp_linear<3>(in, width, height, matrix, out, out_width, out_height);
      }
      return 0;
    }
    cv::Mat target = output(out, out_width, out_height, channels);
    cv::warpPerspective(input(in, width, height, channels), target, back, target.size(),
                        interpolation(sampling) | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return written(target, out);
  });
}

} // extern "C"
