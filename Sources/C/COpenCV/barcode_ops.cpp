#include "barcode_ops.h"
#include "samples.hpp"

#include <algorithm>
#include <vector>

namespace {

cv::Mat grey(const uint8_t *samples, int width, int height) { return input(samples, width, height, 1); }

/* What a stroke detector sees: strong differences along x that the same place lacks along y. */
cv::Mat uprightStrokes(const cv::Mat &image) {
  cv::Mat dx, dy, strokes;
  cv::Sobel(image, dx, CV_16S, 1, 0, 3);
  cv::Sobel(image, dy, CV_16S, 0, 1, 3);
  cv::Mat ax = cv::abs(dx), ay = cv::abs(dy);
  cv::Mat difference = ax * 0.5 - ay * 0.25;
  difference.convertTo(strokes, CV_8U);
  return strokes;
}

void bandsOf(const cv::Mat &image, double scale, std::vector<barcode_band> &found) {
  cv::Mat density, mask;
  cv::blur(uprightStrokes(image), density, cv::Size(31, 21));
  double highest = 0;
  cv::minMaxLoc(density, nullptr, &highest);
  cv::threshold(density, mask, std::max(12.0, highest * 0.45), 255, cv::THRESH_BINARY);
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::Mat::ones(9, 61, CV_8U));
  cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::Mat::ones(15, 61, CV_8U));
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(mask, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  for (const auto &outline : outlines) {
    const cv::RotatedRect rectangle = cv::minAreaRect(outline);
    double width = rectangle.size.width, height = rectangle.size.height, degrees = rectangle.angle;
    if (width < height) {
      std::swap(width, height);
      degrees += 90;
    }
    while (degrees > 45) degrees -= 180;
    while (degrees <= -90) degrees += 180;
    if (width < 60 || height < 15 || width < 1.2 * height) continue;
    found.push_back({(rectangle.center.x + 0.5) * scale, (rectangle.center.y + 0.5) * scale, width * scale,
                     height * scale, degrees});
  }
}

} // namespace

extern "C" {

int barcode_bands(const uint8_t *in, int width, int height, int tilted, barcode_band *out, int capacity) {
  return guarded([&] {
    /* Strokes are looked for at about 760 pixels across: smaller loses them, larger only costs. */
    const double scale = std::max(1.0, width / 760.0);
    cv::Mat small = grey(in, width, height);
    /* Up to a factor of two, a mean of four neighbours covers what an area average does. */
    if (scale > 1) cv::resize(small, small, cv::Size(), 1 / scale, 1 / scale, scale <= 2 ? cv::INTER_LINEAR : cv::INTER_AREA);
    std::vector<barcode_band> found;
    bandsOf(small, scale, found);
    if (tilted) {
      const cv::Point2f centre(small.cols / 2.0f, small.rows / 2.0f);
      for (double degrees : {-60.0, -30.0, 30.0, 60.0, 90.0}) {
        cv::Mat turn = cv::getRotationMatrix2D(centre, degrees, 1);
        const double c = std::abs(turn.at<double>(0, 0)), s = std::abs(turn.at<double>(0, 1));
        const cv::Size size(int(small.cols * c + small.rows * s), int(small.cols * s + small.rows * c));
        turn.at<double>(0, 2) += size.width / 2.0 - centre.x;
        turn.at<double>(1, 2) += size.height / 2.0 - centre.y;
        cv::Mat turned, back;
        cv::warpAffine(small, turned, turn, size, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
        cv::invertAffineTransform(turn, back);
        std::vector<barcode_band> here;
        bandsOf(turned, 1, here);
        for (barcode_band &band : here) {
          const double x = band.x, y = band.y;
          band.x = (back.at<double>(0, 0) * x + back.at<double>(0, 1) * y + back.at<double>(0, 2)) * scale;
          band.y = (back.at<double>(1, 0) * x + back.at<double>(1, 1) * y + back.at<double>(1, 2)) * scale;
          band.width *= scale;
          band.height *= scale;
          /* warpAffine turned the picture counter-clockwise, so the band lies that much further clockwise in the original. */
          band.degrees += degrees;
          found.push_back(band);
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const barcode_band &a, const barcode_band &b) {
      const double first = a.width * a.height, second = b.width * b.height;
      return first != second ? first > second : a.y < b.y;
    });
    const int count = std::min<int>(capacity, int(found.size()));
    std::copy_n(found.begin(), count, out);
    return count;
  });
}

int barcode_sample(const uint8_t *in, int width, int height, const double matrix[6], uint8_t *out, int out_width,
                   int out_height) {
  return guarded([&] {
    cv::Mat target(out_height, out_width, CV_8UC1, out);
    const cv::Mat transform(2, 3, CV_64F, const_cast<double *>(matrix));
    cv::warpAffine(grey(in, width, height), target, transform, target.size(), cv::INTER_CUBIC | cv::WARP_INVERSE_MAP,
                   cv::BORDER_REPLICATE);
    return target.data == out ? 0 : -1;
  });
}

int barcode_unsharp(const uint8_t *in, int width, int height, double sigma, double amount, uint8_t *out) {
  return guarded([&] {
    cv::Mat target(height, width, CV_8UC1, out), soft;
    cv::GaussianBlur(grey(in, width, height), soft, cv::Size(), sigma);
    cv::addWeighted(grey(in, width, height), 1 + amount, soft, -amount, 0, target);
    return target.data == out ? 0 : -1;
  });
}

int barcode_level(const uint8_t *in, int width, int height, int block, uint8_t *out) {
  return guarded([&] {
    const cv::Mat source = grey(in, width, height);
    const cv::Mat kernel = cv::Mat::ones(block, block, CV_8U);
    cv::Mat light, dark, target(height, width, CV_8UC1, out);
    cv::dilate(source, light, kernel);
    cv::erode(source, dark, kernel);
    cv::blur(light, light, cv::Size(block, block));
    cv::blur(dark, dark, cv::Size(block, block));
    cv::Mat range = cv::max(light - dark, 12);
    cv::divide(source - dark, range, target, 255);
    return target.data == out ? 0 : -1;
  });
}

} // extern "C"
