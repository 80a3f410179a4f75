#include "copencv.h"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

extern "C" const char *copencv_version(void) { return CV_VERSION; }
