/* What every shim of this module needs: OpenCV's view of the caller's samples, and a boundary that no exception passes. */
#ifndef COPENCV_SAMPLES_HPP
#define COPENCV_SAMPLES_HPP
#include "copencv.h"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

inline cv::Mat input(const uint8_t *samples, int width, int height, int channels) {
  return cv::Mat(height, width, CV_8UC(channels), const_cast<uint8_t *>(samples));
}

inline cv::Mat output(uint8_t *samples, int width, int height, int channels) {
  return cv::Mat(height, width, CV_8UC(channels), samples);
}

/* OpenCV reallocates a target of another shape; writing into the caller's memory must not be silently skipped. */
inline int written(const cv::Mat &target, const uint8_t *out) { return target.data == out ? 0 : -1; }

inline int interpolation(int sampling) {
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

#endif
