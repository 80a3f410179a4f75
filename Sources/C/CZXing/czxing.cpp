#define ZX_USE_UTF8 1
#include "czxing.h"
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>

#define STRING_OF_(x) #x
#define STRING_OF(x) STRING_OF_(x)
extern "C" const char *czxing_version(void) {
  return STRING_OF(ZXING_VERSION_MAJOR) "." STRING_OF(ZXING_VERSION_MINOR) "." STRING_OF(ZXING_VERSION_PATCH);
}
