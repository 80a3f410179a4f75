#include "copencv.h"
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

cv::Mat input(const uint8_t *samples, int width, int height, int channels) {
  return cv::Mat(height, width, CV_8UC(channels), const_cast<uint8_t *>(samples));
}

cv::Mat output(uint8_t *samples, int width, int height, int channels) {
  return cv::Mat(height, width, CV_8UC(channels), samples);
}

/* OpenCV reallocates a target of another shape; writing into the caller's memory must not be silently skipped. */
int written(const cv::Mat &target, const uint8_t *out) { return target.data == out ? 0 : -1; }

int interpolation(int sampling) {
  switch (sampling) {
  case COPENCV_NEAREST: return cv::INTER_NEAREST;
  case COPENCV_CUBIC: return cv::INTER_CUBIC;
  case COPENCV_AREA: return cv::INTER_AREA;
  default: return cv::INTER_LINEAR;
  }
}

/* No exception may pass a C boundary: it would end the process. */
template <typename Body> int guarded(Body body) {
  try {
    return body();
  } catch (...) {
    return -1;
  }
}

std::vector<std::vector<cv::Point>> contours(const uint8_t *mask, int width, int height, bool with_holes) {
  /* A contour that touches the frame is broken by it: a margin of one pixel keeps it whole. */
  cv::Mat padded;
  cv::copyMakeBorder(input(mask, width, height, 1), padded, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
  std::vector<std::vector<cv::Point>> found;
  cv::findContours(padded, found, with_holes ? cv::RETR_LIST : cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE,
                   cv::Point(-1, -1));
  return found;
}

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

/* Bilinear. cv::warpPerspective does the same, to the same 32nd of a pixel, in several times the instructions. */
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

const char *copencv_version(void) { return CV_VERSION; }

void copencv_start(void) {
  guarded([] {
    cv::setNumThreads(1);
    cv::ocl::setUseOpenCL(false);
    return 0;
  });
}

int copencv_resize(const uint8_t *in, int width, int height, int channels, uint8_t *out, int out_width, int out_height,
                   int sampling) {
  return guarded([&] {
    cv::Mat target = output(out, out_width, out_height, channels);
    cv::resize(input(in, width, height, channels), target, target.size(), 0, 0, interpolation(sampling));
    return written(target, out);
  });
}

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

int copencv_gaussian(const uint8_t *in, int width, int height, int channels, double sigma, uint8_t *out) {
  return guarded([&] {
    cv::Mat target = output(out, width, height, channels);
    cv::GaussianBlur(input(in, width, height, channels), target, cv::Size(0, 0), sigma);
    return written(target, out);
  });
}

int copencv_median(const uint8_t *in, int width, int height, int channels, int size, uint8_t *out) {
  return guarded([&] {
    cv::Mat target = output(out, width, height, channels);
    cv::medianBlur(input(in, width, height, channels), target, size);
    return written(target, out);
  });
}

int copencv_adaptive_mean(const uint8_t *in, int width, int height, int block, double offset, uint8_t *out) {
  return guarded([&] {
    cv::Mat target = output(out, width, height, 1);
    cv::adaptiveThreshold(input(in, width, height, 1), target, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, block,
                          offset);
    return written(target, out);
  });
}

int copencv_otsu(const uint8_t *in, int width, int height) {
  return guarded([&] {
    cv::Mat scratch;
    return int(cv::threshold(input(in, width, height, 1), scratch, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU));
  });
}

int copencv_morphology(const uint8_t *in, int width, int height, int operation, int kernel_width, int kernel_height,
                       uint8_t *out) {
  return guarded([&] {
    static const int operations[] = {cv::MORPH_ERODE, cv::MORPH_DILATE, cv::MORPH_OPEN, cv::MORPH_CLOSE};
    if (operation < 0 || operation > 3) return -1;
    cv::Mat target = output(out, width, height, 1);
    cv::Mat kernel = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(kernel_width, kernel_height));
    cv::morphologyEx(input(in, width, height, 1), target, operations[operation], kernel);
    return written(target, out);
  });
}

int copencv_turn(const uint8_t *in, int width, int height, int channels, int quarters, uint8_t *out) {
  return guarded([&] {
    static const int turns[] = {cv::ROTATE_90_CLOCKWISE, cv::ROTATE_180, cv::ROTATE_90_COUNTERCLOCKWISE};
    if (quarters < 1 || quarters > 3) return -1;
    bool swapped = quarters != 2;
    cv::Mat target = output(out, swapped ? height : width, swapped ? width : height, channels);
    cv::rotate(input(in, width, height, channels), target, turns[quarters - 1]);
    return written(target, out);
  });
}

int copencv_edges(const uint8_t *in, int width, int height, int channels, double low, double high, uint8_t *out) {
  return guarded([&] {
    cv::Mat dx, dy;
    cv::Sobel(input(in, width, height, channels), dx, CV_16S, 1, 0, 3);
    cv::Sobel(input(in, width, height, channels), dy, CV_16S, 0, 1, 3);
    if (channels == 3) {
      cv::Mat best_x(height, width, CV_16S), best_y(height, width, CV_16S);
      for (int y = 0; y < height; y++) {
        const int16_t *px = dx.ptr<int16_t>(y), *py = dy.ptr<int16_t>(y);
        int16_t *bx = best_x.ptr<int16_t>(y), *by = best_y.ptr<int16_t>(y);
        for (int x = 0; x < width; x++, px += 3, py += 3) {
          int best = 0, size = std::abs(px[0]) + std::abs(py[0]);
          for (int c = 1; c < 3; c++) {
            int other = std::abs(px[c]) + std::abs(py[c]);
            if (other > size) { size = other; best = c; }
          }
          bx[x] = px[best];
          by[x] = py[best];
        }
      }
      dx = best_x;
      dy = best_y;
    }
    cv::Mat target = output(out, width, height, 1);
    cv::Canny(dx, dy, target, low, high, false);
    return written(target, out);
  });
}

/* sRGB to CIE L*a*b* (D65) in 8 bits, as cv::COLOR_RGB2Lab to a step. OpenCV fills its tables in software floating point when first
   asked, which takes a fifth of a second at each worker's start. */
static void to_lab(const uint8_t *in, int count, uint8_t *out) {
  struct Tables {
    float linear[256], root[2049];
    Tables() {
      for (int i = 0; i < 256; i++) {
        float v = i / 255.0f;
        linear[i] = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
      }
      for (int i = 0; i <= 2048; i++) {
        float t = i / 2048.0f;
        root[i] = t > 0.008856f ? std::cbrt(t) : 7.787f * t + 16.0f / 116;
      }
    }
  };
  static const Tables tables;
  for (int i = 0; i < count; i++) {
    float r = tables.linear[in[3 * i]], g = tables.linear[in[3 * i + 1]], b = tables.linear[in[3 * i + 2]];
    float fx = tables.root[int((0.433953f * r + 0.376219f * g + 0.189828f * b) * 2048 + 0.5f)];
    float fy = tables.root[int((0.212671f * r + 0.715160f * g + 0.072169f * b) * 2048 + 0.5f)];
    float fz = tables.root[int((0.017758f * r + 0.109477f * g + 0.872766f * b) * 2048 + 0.5f)];
    out[3 * i] = cv::saturate_cast<uint8_t>((116 * fy - 16) * 2.55f);
    out[3 * i + 1] = cv::saturate_cast<uint8_t>(500 * (fx - fy) + 128);
    out[3 * i + 2] = cv::saturate_cast<uint8_t>(200 * (fy - fz) + 128);
  }
}

int copencv_distance_from_border(const uint8_t *in, int width, int height, int margin, uint8_t *out) {
  return guarded([&] {
    if (margin < 1 || 2 * margin >= width || 2 * margin >= height) return -1;
    cv::Mat colours(height, width, CV_8UC3);
    to_lab(in, width * height, colours.data);
    /* The median and the median deviation: a card or a finger that reaches the frame must not drag the estimate. */
    double centre[3], spread[3];
    for (int c = 0; c < 3; c++) {
      std::vector<int> counts(256, 0);
      int total = 0;
      for (int y = 0; y < height; y++) {
        const uint8_t *row = colours.ptr<uint8_t>(y);
        const bool is_end = y < margin || y >= height - margin;
        for (int x = 0; x < width; x = !is_end && x == margin - 1 ? width - margin : x + 1) {
          counts[row[3 * x + c]]++;
          total++;
        }
      }
      int sum = 0, median = 0;
      while (median < 255 && (sum += counts[median]) * 2 < total) median++;
      std::vector<int> deviations(256, 0);
      for (int v = 0; v < 256; v++) deviations[std::abs(v - median)] += counts[v];
      int deviation = 0;
      sum = 0;
      while (deviation < 255 && (sum += deviations[deviation]) * 2 < total) deviation++;
      centre[c] = median;
      spread[c] = std::max(c == 0 ? 3.0 : 2.0, 1.5 * deviation);
    }
    float squares[3][256];
    for (int c = 0; c < 3; c++) {
      for (int v = 0; v < 256; v++) {
        const double z = 16 * (v - centre[c]) / spread[c];
        squares[c][v] = float(z * z);
      }
    }
    const uint8_t *pixel = colours.data;
    for (int i = 0; i < width * height; i++, pixel += 3) {
      const float square = squares[0][pixel[0]] + squares[1][pixel[1]] + squares[2][pixel[2]];
      out[i] = uint8_t(std::min(255.0f, std::sqrt(square)) + 0.5f);
    }
    return 0;
  });
}

int copencv_saturation(const uint8_t *in, int width, int height, uint8_t *out) {
  for (int i = 0; i < width * height; i++) {
    const uint8_t *p = in + 3 * i;
    out[i] = std::max(p[0], std::max(p[1], p[2])) - std::min(p[0], std::min(p[1], p[2]));
  }
  return 0;
}

int copencv_hulls(const uint8_t *mask, int width, int height, double min_area, double tolerance, int with_holes, double *out,
                  int capacity) {
  return guarded([&] {
    int used = 0;
    for (const auto &contour : contours(mask, width, height, with_holes != 0)) {
      if (contour.size() < 4) continue;
      std::vector<cv::Point> hull, simple;
      cv::convexHull(contour, hull);
      if (hull.size() < 4 || cv::contourArea(hull) < min_area) continue;
      cv::approxPolyDP(hull, simple, tolerance, true);
      if (simple.size() < 4) continue;
      if (used + 1 + int(simple.size()) * 2 > capacity) break;
      out[used++] = double(simple.size());
      for (const auto &p : simple) {
        out[used++] = p.x + 0.5;
        out[used++] = p.y + 0.5;
      }
    }
    return used;
  });
}

int copencv_rectangles(const uint8_t *mask, int width, int height, double min_area, double *out, int capacity) {
  return guarded([&] {
    int count = 0;
    for (const auto &contour : contours(mask, width, height, false)) {
      if (count == capacity) break;
      if (contour.size() < 4) continue;
      cv::RotatedRect rect = cv::minAreaRect(contour);
      if (double(rect.size.width) * rect.size.height < min_area) continue;
      cv::Point2f corner[4];
      rect.points(corner);
      for (int i = 0; i < 4; i++) {
        out[count * 8 + 2 * i] = corner[i].x + 0.5;
        out[count * 8 + 2 * i + 1] = corner[i].y + 0.5;
      }
      count++;
    }
    return count;
  });
}

int copencv_segments(const uint8_t *in, int width, int height, double min_length, double *out, int capacity) {
  return guarded([&] {
    auto detector = cv::createLineSegmentDetector(cv::LSD_REFINE_NONE, 1.0);
    std::vector<cv::Vec4f> lines;
    detector->detect(input(in, width, height, 1), lines);
    int count = 0;
    for (const auto &line : lines) {
      if (count == capacity) break;
      if (std::hypot(line[2] - line[0], line[3] - line[1]) < min_length) continue;
      for (int i = 0; i < 4; i++) out[count * 4 + i] = double(line[i]) + 0.5;
      count++;
    }
    return count;
  });
}

int copencv_gradient_grid(const uint8_t *in, int width, int height, int columns, int rows, float *horizontal,
                          float *vertical) {
  return guarded([&] {
    cv::Mat grey = input(in, width, height, 1), difference, grid;
    cv::Mat grey_left = grey(cv::Rect(0, 0, width - 1, height)), grey_right = grey(cv::Rect(1, 0, width - 1, height));
    cv::absdiff(grey_left, grey_right, difference);
    difference.convertTo(grid, CV_32F);
    cv::resize(grid, grid, cv::Size(columns, rows), 0, 0, cv::INTER_AREA);
    std::memcpy(horizontal, grid.ptr<float>(), sizeof(float) * size_t(columns) * size_t(rows));
    cv::Mat grey_top = grey(cv::Rect(0, 0, width, height - 1)), grey_low = grey(cv::Rect(0, 1, width, height - 1));
    cv::absdiff(grey_top, grey_low, difference);
    difference.convertTo(grid, CV_32F);
    cv::resize(grid, grid, cv::Size(columns, rows), 0, 0, cv::INTER_AREA);
    std::memcpy(vertical, grid.ptr<float>(), sizeof(float) * size_t(columns) * size_t(rows));
    return 0;
  });
}

double copencv_edge_steepness(const uint8_t *in, int width, int height) {
  double result = -1;
  guarded([&] {
    cv::Mat grey = input(in, width, height, 1), low, high;
    cv::Mat window = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(9, 9));
    cv::erode(grey, low, window);
    cv::dilate(grey, high, window);
    double most = 0;
    std::vector<int> ranges(256, 0);
    for (int y = 5; y < height - 5; y++) {
      for (int x = 5; x < width - 5; x++) ranges[high.at<uint8_t>(y, x) - low.at<uint8_t>(y, x)]++;
    }
    int total = (width - 10) * (height - 10), above = 0;
    for (int r = 255; r > 0; r--) {
      above += ranges[r];
      if (above > total / 50) { most = r; break; }
    }
    int needed = std::max(12, int(most * 0.5));
    std::vector<int> steepness(257, 0);
    int places = 0;
    for (int y = 5; y < height - 5; y++) {
      const uint8_t *row = grey.ptr<uint8_t>(y), *above_row = grey.ptr<uint8_t>(y - 1), *below_row = grey.ptr<uint8_t>(y + 1);
      for (int x = 5; x < width - 5; x++) {
        int range = high.at<uint8_t>(y, x) - low.at<uint8_t>(y, x);
        if (range < needed) continue;
        int step = std::max(std::abs(row[x + 1] - row[x - 1]), std::abs(below_row[x] - above_row[x]));
        steepness[std::min(256, step * 256 / range)]++;
        places++;
      }
    }
    double sum = 0;
    int counted = 0, wanted = std::max(1, places / 10);
    for (int s = 256; s >= 0 && counted < wanted; s--) {
      int take = std::min(steepness[s], wanted - counted);
      sum += double(take) * s / 256;
      counted += take;
    }
    result = counted == 0 ? 0 : sum / counted;
    return 0;
  });
  return result;
}

} // extern "C"
