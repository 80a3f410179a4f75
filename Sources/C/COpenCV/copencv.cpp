#include "samples.hpp"
#include <opencv2/core/ocl.hpp>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

std::vector<std::vector<cv::Point>> contours(const uint8_t *mask, int width, int height, bool with_holes) {
  /* A contour that touches the frame is broken by it: a margin of one pixel keeps it whole. */
  cv::Mat padded;
  cv::copyMakeBorder(input(mask, width, height, 1), padded, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
  std::vector<std::vector<cv::Point>> found;
  cv::findContours(padded, found, with_holes ? cv::RETR_LIST : cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE,
                   cv::Point(-1, -1));
  return found;
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

int copencv_edges(const uint8_t *in, int width, int height, int channels, const double *thresholds, int count, uint8_t *out) {
  return guarded([&] {
    std::vector<cv::Mat> planes;
    cv::split(input(in, width, height, channels), planes);
    cv::Mat best_x, best_y, dx, dy;
    for (const cv::Mat &plane : planes) {
      const bool is_first = best_x.empty();
      cv::Sobel(plane, is_first ? best_x : dx, CV_16S, 1, 0, 3);
      cv::Sobel(plane, is_first ? best_y : dy, CV_16S, 0, 1, 3);
      if (is_first) continue;
      for (int y = 0; y < height; y++) {
        const int16_t *px = dx.ptr<int16_t>(y), *py = dy.ptr<int16_t>(y);
        int16_t *bx = best_x.ptr<int16_t>(y), *by = best_y.ptr<int16_t>(y);
        for (int x = 0; x < width; x++) {
          const bool stronger = int16_t(std::abs(px[x]) + std::abs(py[x])) > int16_t(std::abs(bx[x]) + std::abs(by[x]));
          bx[x] = stronger ? px[x] : bx[x];
          by[x] = stronger ? py[x] : by[x];
        }
      }
    }
    for (int i = 0; i < count; i++) {
      uint8_t *mask = out + size_t(i) * size_t(width) * size_t(height);
      cv::Mat target = output(mask, width, height, 1);
      cv::Canny(best_x, best_y, target, thresholds[2 * i], thresholds[2 * i + 1], false);
      if (written(target, mask) != 0) return -1;
    }
    return 0;
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
  /* Row by row in steps, of which the compiler turns those that compute into vector instructions. */
  const int part = 256;
  float linear[3][part], root[3][part];
  int places[3][part];
  for (int from = 0; from < count; from += part) {
    const int size = std::min(part, count - from);
    const uint8_t *pixels = in + 3 * size_t(from);
    uint8_t *to = out + 3 * size_t(from);
    for (int i = 0; i < size; i++) {
      for (int c = 0; c < 3; c++) linear[c][i] = tables.linear[pixels[3 * i + c]];
    }
    for (int i = 0; i < size; i++) {
      const float r = linear[0][i], g = linear[1][i], b = linear[2][i];
      places[0][i] = int((0.433953f * r + 0.376219f * g + 0.189828f * b) * 2048 + 0.5f);
      places[1][i] = int((0.212671f * r + 0.715160f * g + 0.072169f * b) * 2048 + 0.5f);
      places[2][i] = int((0.017758f * r + 0.109477f * g + 0.872766f * b) * 2048 + 0.5f);
    }
    for (int i = 0; i < size; i++) {
      for (int c = 0; c < 3; c++) root[c][i] = tables.root[places[c][i]];
    }
    /* Rounded to the nearest; none of the three leaves 0...255 for any colour. */
    for (int i = 0; i < size; i++) {
      const float fx = root[0][i], fy = root[1][i], fz = root[2][i];
      places[0][i] = int((116 * fy - 16) * 2.55f + 0.5f);
      places[1][i] = int(500 * (fx - fy) + 128.5f);
      places[2][i] = int(200 * (fy - fz) + 128.5f);
    }
    for (int i = 0; i < size; i++) {
      for (int c = 0; c < 3; c++) to[3 * i + c] = uint8_t(places[c][i]);
    }
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
    std::vector<float> sums(static_cast<size_t>(width));
    for (int y = 0; y < height; y++) {
      const uint8_t *pixel = colours.ptr<uint8_t>(y);
      for (int x = 0; x < width; x++, pixel += 3) {
        sums[size_t(x)] = squares[0][pixel[0]] + squares[1][pixel[1]] + squares[2][pixel[2]];
      }
      uint8_t *row = out + size_t(y) * size_t(width);
      for (int x = 0; x < width; x++) row[x] = uint8_t(int(std::min(255.0f, std::sqrt(sums[size_t(x)])) + 0.5f));
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
