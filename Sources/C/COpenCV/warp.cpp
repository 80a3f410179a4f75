#include "samples.hpp"

#include <algorithm>
#include <cstring>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Unwarping: the projection by OpenCV, the pixels in a loop of our own where they are mixed linearly. */

namespace {

/* Where the output's pixels lie in the input: the projection's rows for one row of the output. */
struct Row {
  float x0, y0, w0, dx, dy, dw, right, bottom;

  Row(const double back[9], int y, int width, int height)
      : x0(float(back[1] * y + back[2])), y0(float(back[4] * y + back[5])), w0(float(back[7] * y + back[8])),
        dx(float(back[0])), dy(float(back[3])), dw(float(back[6])), right((float(width - 1) - 1.0f / 32) * 32),
        bottom((float(height - 1) - 1.0f / 32) * 32) {}

  /* In 1/32 of a pixel, kept inside the image by its last 32nd. */
  void at(int i, int &x, int &y) const {
    const float scale = 32.0f / (w0 + dw * float(i));
    const float across = (x0 + dx * float(i)) * scale, down = (y0 + dy * float(i)) * scale;
    x = int((across > 0 ? (across < right ? across : right) : 0) + 0.5f);
    y = int((down > 0 ? (down < bottom ? down : bottom) : 0) + 0.5f);
  }
};

/* A pixel between four, `across` and `down` in 1/32: 13 bits after the first step, rounded to 10 before the second. */
int between(int upper_left, int upper_right, int lower_left, int lower_right, int across, int down) {
  const int high = (upper_left * 32 + (upper_right - upper_left) * across + 4) >> 3;
  const int low = (lower_left * 32 + (lower_right - lower_left) * across + 4) >> 3;
  return (high * 32 + (low - high) * down + 64) >> 7;
}

#if defined(__x86_64__)
/* Eight pixels at once; the same arithmetic to the last bit. */
#define AVX2 __attribute__((target("avx2"), always_inline)) inline

struct Eight {
  __m256i pixel, across, down;
};

AVX2 Eight eight(const Row &row, int x, int width) {
  const __m256 i = _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_set1_epi32(x), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
  const __m256 w = _mm256_add_ps(_mm256_set1_ps(row.w0), _mm256_mul_ps(_mm256_set1_ps(row.dw), i));
  const __m256 scale = _mm256_div_ps(_mm256_set1_ps(32), w);
  __m256 across = _mm256_mul_ps(_mm256_add_ps(_mm256_set1_ps(row.x0), _mm256_mul_ps(_mm256_set1_ps(row.dx), i)), scale);
  __m256 down = _mm256_mul_ps(_mm256_add_ps(_mm256_set1_ps(row.y0), _mm256_mul_ps(_mm256_set1_ps(row.dy), i)), scale);
  /* max and min give their second operand where one is no number, as the comparisons of `at` do. */
  across = _mm256_min_ps(_mm256_max_ps(across, _mm256_setzero_ps()), _mm256_set1_ps(row.right));
  down = _mm256_min_ps(_mm256_max_ps(down, _mm256_setzero_ps()), _mm256_set1_ps(row.bottom));
  const __m256i xs = _mm256_cvttps_epi32(_mm256_add_ps(across, _mm256_set1_ps(0.5f)));
  const __m256i ys = _mm256_cvttps_epi32(_mm256_add_ps(down, _mm256_set1_ps(0.5f)));
  const __m256i rest = _mm256_set1_epi32(31);
  const __m256i first = _mm256_mullo_epi32(_mm256_srli_epi32(ys, 5), _mm256_set1_epi32(width));
  return {_mm256_add_epi32(first, _mm256_srli_epi32(xs, 5)), _mm256_and_si256(xs, rest), _mm256_and_si256(ys, rest)};
}

/* Byte `n` of each of eight words. */
template <int n> AVX2 __m256i byte(__m256i words) {
  return _mm256_and_si256(_mm256_srli_epi32(words, 8 * n), _mm256_set1_epi32(255));
}

AVX2 __m256i mixed(__m256i from, __m256i to, __m256i share, int half, int bits) {
  const __m256i step = _mm256_mullo_epi32(_mm256_sub_epi32(to, from), share);
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(_mm256_slli_epi32(from, 5), step), _mm256_set1_epi32(half));
  return _mm256_srai_epi32(sum, bits);
}

AVX2 __m256i between(__m256i upper_left, __m256i upper_right, __m256i lower_left, __m256i lower_right, const Eight &at) {
  const __m256i high = mixed(upper_left, upper_right, at.across, 4, 3), low = mixed(lower_left, lower_right, at.across, 4, 3);
  return mixed(high, low, at.down, 64, 7);
}

/* Four bytes from each place. */
AVX2 __m256i gathered(const uint8_t *in, __m256i places) {
  return _mm256_i32gather_epi32(reinterpret_cast<const int *>(in), places, 1);
}

/* Gives how many of the row's pixels it wrote: all but the last few. */
__attribute__((target("avx2"))) int grey_by_eights(const uint8_t *in, int width, int height, const Row &row, uint8_t *to, int count) {
  /* A place's four bytes must end with the image; what then stands too far up in the word is shifted down. */
  const __m256i last = _mm256_set1_epi32(width * height - 4);
  int x = 0;
  for (; x + 8 <= count; x += 8) {
    const Eight at = eight(row, x, width);
    const __m256i below = _mm256_add_epi32(at.pixel, _mm256_set1_epi32(width));
    const __m256i upper_place = _mm256_min_epi32(at.pixel, last), lower_place = _mm256_min_epi32(below, last);
    const __m256i upper = _mm256_srlv_epi32(gathered(in, upper_place), _mm256_slli_epi32(_mm256_sub_epi32(at.pixel, upper_place), 3));
    const __m256i lower = _mm256_srlv_epi32(gathered(in, lower_place), _mm256_slli_epi32(_mm256_sub_epi32(below, lower_place), 3));
    const __m256i pixels = between(byte<0>(upper), byte<1>(upper), byte<0>(lower), byte<1>(lower), at);
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(pixels), _mm256_extracti128_si256(pixels, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i *>(to + x), _mm_packus_epi16(words, words));
  }
  return x;
}

/* What a pixel between two is multiplied by, its channels side by side: 32 - share for the left and share for the right one. */
struct Shares {
  alignas(16) uint8_t pairs[32][16];
  alignas(16) int16_t words[32][8];
  Shares() {
    for (int share = 0; share < 32; share++) {
      for (int i = 0; i < 8; i++) {
        pairs[share][2 * i] = uint8_t(32 - share);
        pairs[share][2 * i + 1] = uint8_t(share);
        words[share][i] = int16_t(share);
      }
    }
  }
};

/* A gather for each of three channels costs what it saves: here a pixel and its right neighbour are read as eight bytes. */
__attribute__((target("avx2"))) int rgb_by_eights(const uint8_t *in, int width, int height, const Row &row, uint8_t *to, int count) {
  static const Shares shares;
  const __m128i side_by_side = _mm_setr_epi8(0, 3, 1, 4, 2, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  const size_t stride = size_t(width) * 3, last = stride * size_t(height) - 8;
  alignas(32) int pixels[8], across[8], down[8];
  int x = 0;
  /* Four bytes are written for three: one pixel more than eight must be left in the row. */
  for (; x + 9 <= count; x += 8) {
    const Eight at = eight(row, x, width);
    _mm256_store_si256(reinterpret_cast<__m256i *>(pixels), at.pixel);
    _mm256_store_si256(reinterpret_cast<__m256i *>(across), at.across);
    _mm256_store_si256(reinterpret_cast<__m256i *>(down), at.down);
    for (int i = 0; i < 8; i++) {
      const size_t above = size_t(pixels[i]) * 3, below = above + stride;
      /* Eight bytes must end with the image. */
      if (below > last) return x;
      const __m128i share = _mm_load_si128(reinterpret_cast<const __m128i *>(shares.pairs[across[i]]));
      const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(in + above));
      const __m128i lower = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(in + below));
      const __m128i four = _mm_set1_epi16(4);
      const __m128i high = _mm_srai_epi16(_mm_add_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(upper, side_by_side), share), four), 3);
      const __m128i low = _mm_srai_epi16(_mm_add_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(lower, side_by_side), share), four), 3);
      const __m128i step = _mm_mullo_epi16(_mm_sub_epi16(low, high), _mm_load_si128(reinterpret_cast<const __m128i *>(shares.words[down[i]])));
      const __m128i sum = _mm_add_epi16(_mm_add_epi16(_mm_slli_epi16(high, 5), step), _mm_set1_epi16(64));
      const int pixel = _mm_cvtsi128_si32(_mm_packus_epi16(_mm_srai_epi16(sum, 7), sum));
      std::memcpy(to + 3 * (x + i), &pixel, 4);
    }
  }
  return x;
}

/* Words of 32 bits hold the places of the gathers. */
bool goes_by_eights(int width, int height, int channels) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  return has_avx2 && size_t(width) * size_t(height) * size_t(channels) < (size_t(1) << 31) && width * height >= 4;
}
#else
bool goes_by_eights(int, int, int) { return false; }
int grey_by_eights(const uint8_t *, int, int, const Row &, uint8_t *, int) { return 0; }
int rgb_by_eights(const uint8_t *, int, int, const Row &, uint8_t *, int) { return 0; }
#endif

/* Bilinear, as cv::warpPerspective to the same 32nd of a pixel; what each costs stands in Benchmarks.md. */
template <int channels>
void warp_linear(const uint8_t *in, int width, int height, const double back[9], uint8_t *out, int out_width, int out_height,
                 bool plain) {
  const size_t stride = size_t(width) * channels;
  const bool by_eights = !plain && goes_by_eights(width, height, channels);
  for (int y = 0; y < out_height; y++) {
    const Row row(back, y, width, height);
    uint8_t *to = out + size_t(y) * size_t(out_width) * channels;
    int x = !by_eights      ? 0
            : channels == 1 ? grey_by_eights(in, width, height, row, to, out_width)
                            : rgb_by_eights(in, width, height, row, to, out_width);
    for (; x < out_width; x++) {
      int left, top;
      row.at(x, left, top);
      const int across = left & 31, down = top & 31;
      const uint8_t *above = in + size_t(top >> 5) * stride + size_t(left >> 5) * channels, *below = above + stride;
      for (int c = 0; c < channels; c++) {
        to[x * channels + c] = uint8_t(between(above[c], above[c + channels], below[c], below[c + channels], across, down));
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
    const bool plain = sampling == COPENCV_LINEAR_PLAIN;
    if ((sampling == COPENCV_LINEAR || plain) && width > 1 && height > 1 && (channels == 1 || channels == 3)) {
      const double *matrix = back.ptr<double>();
      if (channels == 1) {
        warp_linear<1>(in, width, height, matrix, out, out_width, out_height, plain);
      } else {
        warp_linear<3>(in, width, height, matrix, out, out_width, out_height, plain);
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
