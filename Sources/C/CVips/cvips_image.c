#include "cvips_image.h"
#include "cvips.h"
#include <string.h>
#include <vips/vips.h>

/* libvips warns of each damaged file on stderr, which belongs to the command; the caller has the failure itself. */
static void keep_silent(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void) domain;
  (void) level;
  (void) message;
  (void) data;
}

int cvips_start_untrusted(void) {
  if (cvips_start() != 0) return -1;
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG, keep_silent, NULL);
  vips_block_untrusted_set(TRUE);
  return 0;
}

void cvips_allow_pdf(void) { vips_operation_block_set("VipsForeignLoadPdf", FALSE); }

/* The error buffer is shared by all threads: taken for people to read, and emptied so that it does not grow. */
static int failed(char *diagnostic, size_t size) {
  if (diagnostic != NULL && size > 0) {
    const char *text = vips_error_buffer();
    size_t length = strlen(text);
    if (length >= size) length = size - 1;
    memcpy(diagnostic, text, length);
    diagnostic[length] = '\0';
  }
  vips_error_clear();
  return -1;
}

static VipsImage *open_page(const void *bytes, size_t length, int format, int page, int shrink, int strict) {
  VipsImage *image = NULL;
  VipsAccess access = VIPS_ACCESS_SEQUENTIAL;
  VipsFailOn fail_on = strict ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE;
  void *data = (void *) bytes;
  int result = -1;
  switch (format) {
  case CVIPS_JPEG:
    result = vips_jpegload_buffer(data, length, &image, "access", access, "fail_on", fail_on, "shrink", shrink, NULL);
    break;
  case CVIPS_PNG:
    result = vips_pngload_buffer(data, length, &image, "access", access, "fail_on", fail_on, NULL);
    break;
  case CVIPS_TIFF:
    result = vips_tiffload_buffer(data, length, &image, "access", access, "fail_on", fail_on, "page", page, NULL);
    break;
  case CVIPS_WEBP:
    result = vips_webpload_buffer(data, length, &image, "access", access, "fail_on", fail_on, NULL);
    break;
  case CVIPS_GIF:
    result = vips_gifload_buffer(data, length, &image, "access", access, "fail_on", fail_on, NULL);
    break;
  case CVIPS_HEIF:
    result = vips_heifload_buffer(data, length, &image, "access", access, "fail_on", fail_on, NULL);
    break;
  case CVIPS_PDF:
    result = vips_pdfload_buffer(data, length, &image, "access", access, "fail_on", fail_on, "page", page, "dpi", 300.0, NULL);
    break;
  }
  return result == 0 ? image : NULL;
}

int cvips_read_header(const void *bytes, size_t length, int format, int page, cvips_header *header, char *diagnostic,
                      size_t diagnostic_size) {
  VipsImage *image = open_page(bytes, length, format, page, 1, 1);
  if (image == NULL) return failed(diagnostic, diagnostic_size);
  header->width = vips_image_get_width(image);
  header->height = vips_image_get_height(image);
  /* Frames of an animation are one picture; only TIFF and PDF hold pages. */
  header->pages = format == CVIPS_TIFF || format == CVIPS_PDF ? vips_image_get_n_pages(image) : 1;
  g_object_unref(image);
  return 0;
}

static int replace_with(VipsImage **image, VipsImage *next) {
  g_object_unref(*image);
  *image = next;
  return 0;
}

/* Most profiles say that they are sRGB; converting those costs time and changes nothing. */
static int is_srgb_profile(const VipsImage *image) {
  const void *data;
  size_t length;
  if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &data, &length) != 0) {
    vips_error_clear();
    return 1;
  }
  const unsigned char *p = data;
  for (size_t i = 0; i + 10 < length; i++) {
    if (memcmp(p + i, "sRGB", 4) == 0 || memcmp(p + i, "s\0R\0G\0B", 7) == 0) return 1;
  }
  return 0;
}

static int to_srgb(VipsImage **image) {
  VipsImage *next = NULL;
  VipsInterpretation space = vips_image_guess_interpretation(*image);
  int has_profile = vips_image_get_typeof(*image, VIPS_META_ICC_NAME) != 0;
  if (space == VIPS_INTERPRETATION_CMYK || (has_profile && !is_srgb_profile(*image))) {
    /* A profile may be broken or of another kind of image; the plain conversion below is then the best there is. */
    if (vips_icc_transform(*image, &next, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_PERCEPTUAL,
                           "black_point_compensation", TRUE, NULL) == 0) {
      replace_with(image, next);
    } else {
      vips_error_clear();
      next = NULL;
    }
    space = vips_image_guess_interpretation(*image);
  }
  if (space != VIPS_INTERPRETATION_sRGB) {
    next = NULL;
    if (vips_colourspace(*image, &next, VIPS_INTERPRETATION_sRGB, NULL) != 0) return -1;
    replace_with(image, next);
  }
  return 0;
}

static int without_alpha(VipsImage **image) {
  VipsImage *next = NULL;
  /* The fourth byte of a packed CIELAB pixel (TIFF) is no alpha. */
  if (vips_image_get_coding(*image) == VIPS_CODING_NONE && vips_image_hasalpha(*image)) {
    VipsInterpretation space = vips_image_guess_interpretation(*image);
    double full = space == VIPS_INTERPRETATION_RGB16 || space == VIPS_INTERPRETATION_GREY16 ? 65535
                  : space == VIPS_INTERPRETATION_scRGB                                      ? 1
                                                                                            : 255;
    int bands = vips_image_get_bands(*image);
    double white[4] = {full, full, full, full};
    VipsArrayDouble *background = vips_array_double_new(white, bands - 1 > 4 ? 4 : bands - 1);
    int result = vips_flatten(*image, &next, "background", background, "max_alpha", full, NULL);
    vips_area_unref(VIPS_AREA(background));
    if (result != 0) return -1;
    replace_with(image, next);
  }
  return 0;
}

static int three_bytes(VipsImage **image) {
  VipsImage *next = NULL;
  int bands = vips_image_get_bands(*image);
  if (bands > 3) {
    if (vips_extract_band(*image, &next, 0, "n", 3, NULL) != 0) return -1;
    replace_with(image, next);
  } else if (bands < 3) {
    VipsImage *same[3] = {NULL, NULL, NULL};
    VipsImage *one = NULL;
    if (vips_extract_band(*image, &one, 0, NULL) != 0) return -1;
    same[0] = same[1] = same[2] = one;
    int result = vips_bandjoin(same, &next, 3, NULL);
    g_object_unref(one);
    if (result != 0) return -1;
    replace_with(image, next);
  }
  if (vips_image_get_format(*image) != VIPS_FORMAT_UCHAR) {
    next = NULL;
    if (vips_cast_uchar(*image, &next, NULL) != 0) return -1;
    replace_with(image, next);
  }
  return 0;
}

int cvips_decode(const void *bytes, size_t length, int format, int page, int shrink, int strict, uint8_t **pixels,
                 int *width, int *height, char *diagnostic, size_t diagnostic_size) {
  VipsImage *image = open_page(bytes, length, format, page, shrink, strict);
  if (image == NULL) return failed(diagnostic, diagnostic_size);
  int orientation = vips_image_get_orientation(image);
  int result = -1;
  if (without_alpha(&image) == 0 && to_srgb(&image) == 0 && without_alpha(&image) == 0 && three_bytes(&image) == 0) {
    VipsImage *next = NULL;
    result = 0;
    if (orientation > 1) {
      /* A quarter turn reads columns: decode to memory first, since the decoder gives rows in order only. */
      next = vips_image_copy_memory(image);
      result = next == NULL ? -1 : replace_with(&image, next);
      next = NULL;
      if (result == 0) result = vips_autorot(image, &next, NULL);
      if (result == 0) replace_with(&image, next);
    }
    if (result == 0) {
      size_t size;
      *pixels = vips_image_write_to_memory(image, &size);
      *width = vips_image_get_width(image);
      *height = vips_image_get_height(image);
      result = *pixels != NULL && size == (size_t) *width * (size_t) *height * 3 ? 0 : -1;
      if (result != 0) g_free(*pixels);
    }
  }
  g_object_unref(image);
  return result == 0 ? 0 : failed(diagnostic, diagnostic_size);
}

int cvips_encode_jpeg(const uint8_t *pixels, int width, int height, int channels, int quality, void **encoded,
                      size_t *length) {
  VipsImage *image = vips_image_new_from_memory(pixels, (size_t) width * (size_t) height * (size_t) channels, width, height,
                                                channels, VIPS_FORMAT_UCHAR);
  if (image == NULL) return failed(NULL, 0);
  int result = vips_jpegsave_buffer(image, encoded, length, "Q", quality, "strip", TRUE, NULL);
  g_object_unref(image);
  return result == 0 ? 0 : failed(NULL, 0);
}

void cvips_free(void *memory) { g_free(memory); }
