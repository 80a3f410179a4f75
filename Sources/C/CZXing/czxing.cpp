// ZXing is C++ and Swift calls C: this file holds only what carries one read across.
#define ZX_USE_UTF8 1
#include "czxing.h"
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>

#include <cstdlib>
#include <cstring>

#define STRING_OF_(x) #x
#define STRING_OF(x) STRING_OF_(x)
extern "C" const char *czxing_version(void) {
  return STRING_OF(ZXING_VERSION_MAJOR) "." STRING_OF(ZXING_VERSION_MINOR) "." STRING_OF(ZXING_VERSION_PATCH);
}

static ZXing::BarcodeFormats formatsOf(int bits) {
  ZXing::BarcodeFormats formats;
  if (bits & CZXING_QR) formats |= ZXing::BarcodeFormat::QRCode;
  if (bits & CZXING_PDF417) formats |= ZXing::BarcodeFormat::PDF417;
  if (bits & CZXING_CODE128) formats |= ZXing::BarcodeFormat::Code128;
  return formats;
}

static int bitOf(ZXing::BarcodeFormat format) {
  switch (format) {
    case ZXing::BarcodeFormat::QRCode: return CZXING_QR;
    case ZXing::BarcodeFormat::PDF417: return CZXING_PDF417;
    case ZXing::BarcodeFormat::Code128: return CZXING_CODE128;
    default: return 0;
  }
}

extern "C" int czxing_read(const uint8_t *samples, int width, int height, int row_stride, const czxing_hints *hints,
                           czxing_symbol *symbol) {
  if (!samples || !hints || !symbol || width < 1 || height < 1 || row_stride < width) return -1;
  std::memset(symbol, 0, sizeof *symbol);
  try {
    ZXing::DecodeHints wish;
    wish.setFormats(formatsOf(hints->formats));
    wish.setBinarizer(static_cast<ZXing::Binarizer>(hints->binarizer & 3));
    wish.setTryHarder(hints->try_harder != 0);
    wish.setTryRotate(hints->try_rotate != 0);
    wish.setTryDownscale(hints->try_downscale != 0);
    wish.setIsPure(hints->is_pure != 0);
    // More than one and 1.4.0 can fail an assertion, which ends the process.
    wish.setMaxNumberOfSymbols(1);
    ZXing::ImageView view(samples, width, height, ZXing::ImageFormat::Lum, row_stride);
    for (const auto &result : ZXing::ReadBarcodes(view, wish)) {
      const int format = bitOf(result.format());
      if (!result.isValid() || !format) continue;
      const auto &bytes = result.bytes();
      symbol->bytes = static_cast<uint8_t *>(std::malloc(bytes.empty() ? 1 : bytes.size()));
      if (!symbol->bytes) return -1;
      if (!bytes.empty()) std::memcpy(symbol->bytes, bytes.data(), bytes.size());
      symbol->length = bytes.size();
      symbol->format = format;
      int place = 0;
      for (const auto &corner : result.position()) {
        symbol->corners[place++] = corner.x;
        symbol->corners[place++] = corner.y;
      }
      symbol->sequence_size = result.sequenceSize();
      symbol->sequence_index = result.sequenceIndex();
      return 1;
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

extern "C" void czxing_free(czxing_symbol *symbol) {
  if (!symbol) return;
  std::free(symbol->bytes);
  symbol->bytes = nullptr;
}
