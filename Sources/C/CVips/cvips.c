#include "cvips.h"
#include <vips/vips.h>

int cvips_start(void) {
  if (vips_init("cnicscan") != 0) return -1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  return 0;
}

const char *cvips_version(void) { return vips_version_string(); }
