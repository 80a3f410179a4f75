#include "cspecimens.h"
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <pthread.h>
#include <string.h>
#include <vips/vips.h>

int cspecimens_use_fonts(const char *configuration) {
  FcConfig *config = FcConfigCreate();
  if (config == NULL) return -1;
  if (!FcConfigParseAndLoadFromMemory(config, (const FcChar8 *)configuration, FcTrue) || !FcConfigBuildFonts(config)) {
    FcConfigDestroy(config);
    return -1;
  }
  FcBool set = FcConfigSetCurrent(config);
  FcConfigDestroy(config);
  return set ? 0 : -1;
}

static int render_svg(const char *svg, size_t length, int width, int height, uint8_t *rgba) {
  GError *error = NULL;
  RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg, length, &error);
  if (handle == NULL) {
    g_clear_error(&error);
    return -1;
  }
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *context = cairo_create(surface);
  RsvgRectangle viewport = {0, 0, width, height};
  gboolean drawn = rsvg_handle_render_document(handle, context, &viewport, &error);
  int status = drawn && cairo_status(context) == CAIRO_STATUS_SUCCESS ? 0 : -1;
  g_clear_error(&error);
  cairo_destroy(context);
  cairo_surface_flush(surface);
  const uint8_t *pixels = cairo_image_surface_get_data(surface);
  if (status == 0 && pixels != NULL) {
    int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < height; y++) {
      const uint32_t *row = (const uint32_t *)(const void *)(pixels + (size_t)y * stride);
      uint8_t *to = rgba + (size_t)y * width * 4;
      for (int x = 0; x < width; x++, to += 4) {
        uint32_t value = row[x];
        to[0] = (uint8_t)(value >> 16);
        to[1] = (uint8_t)(value >> 8);
        to[2] = (uint8_t)value;
        to[3] = (uint8_t)(value >> 24);
      }
    }
  } else {
    status = -1;
  }
  cairo_surface_destroy(surface);
  g_object_unref(handle);
  return status;
}

/* One drawing at a time: with text in it, cairo 1.16 was seen to crash (a null font) where two threads drew at once. */
int cspecimens_render_svg(const char *svg, size_t length, int width, int height, uint8_t *rgba) {
  static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&drawing);
  int status = render_svg(svg, length, width, height, rgba);
  pthread_mutex_unlock(&drawing);
  return status;
}

/* Starting libvips twice does no harm; its settings are the process's own affair and stay as they are. */
static VipsImage *image_of(const uint8_t *pixels, int width, int height, int channels, int dpi) {
  if (vips_init("cnicscan") != 0) return NULL;
  VipsImage *image = vips_image_new_from_memory(pixels, (size_t)width * height * channels, width, height, channels,
                                                VIPS_FORMAT_UCHAR);
  if (image == NULL) return NULL;
  VipsImage *tagged = NULL;
  int failed = vips_copy(image, &tagged, "interpretation",
                         channels == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, "xres", dpi / 25.4, "yres",
                         dpi / 25.4, NULL);
  g_object_unref(image);
  return failed ? NULL : tagged;
}

int cspecimens_encode_jpeg(const uint8_t *pixels, int width, int height, int channels, int quality, int dpi, void **out,
                           size_t *length) {
  VipsImage *image = image_of(pixels, width, height, channels, dpi);
  if (image == NULL) return -1;
  int failed = vips_jpegsave_buffer(image, out, length, "Q", quality, NULL);
  g_object_unref(image);
  return failed;
}

int cspecimens_encode_png(const uint8_t *pixels, int width, int height, int channels, int dpi, void **out,
                          size_t *length) {
  VipsImage *image = image_of(pixels, width, height, channels, dpi);
  if (image == NULL) return -1;
  int failed = vips_pngsave_buffer(image, out, length, "compression", 3, NULL);
  g_object_unref(image);
  return failed;
}

int cspecimens_encode_tiff(const uint8_t *pixels, int width, int height, int channels, int dpi, int page_height, void **out,
                           size_t *length) {
  VipsImage *image = image_of(pixels, width, height, channels, dpi);
  if (image == NULL) return -1;
  if (page_height > 0) vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, page_height);
  int failed = vips_tiffsave_buffer(image, out, length, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, NULL);
  g_object_unref(image);
  return failed;
}

void cspecimens_free(void *memory) { g_free(memory); }

int cspecimens_decode_jpeg(const void *data, size_t length, int width, int height, uint8_t *rgb) {
  if (vips_init("cnicscan") != 0) return -1;
  VipsImage *image = NULL;
  if (vips_jpegload_buffer((void *)data, length, &image, NULL) != 0) return -1;
  int failed = -1;
  if (image->Xsize == width && image->Ysize == height && image->Bands == 3) {
    size_t size = 0;
    void *memory = vips_image_write_to_memory(image, &size);
    if (memory != NULL && size == (size_t)width * height * 3) {
      memcpy(rgb, memory, size);
      failed = 0;
    }
    g_free(memory);
  }
  g_object_unref(image);
  return failed;
}
