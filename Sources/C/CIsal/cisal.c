#include "cisal.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

enum { level = 1 };

struct cisal_compressor {
  struct isal_zstream stream;
  _Alignas(16) uint8_t work[ISAL_DEF_LVL1_DEFAULT];
};

struct cisal_compressor *cisal_compressor_new(void) { return malloc(sizeof(struct cisal_compressor)); }

void cisal_compressor_free(struct cisal_compressor *compressor) { free(compressor); }

size_t cisal_zlib(struct cisal_compressor *compressor, const uint8_t *in, size_t count, uint8_t *out, size_t capacity) {
  struct isal_zstream *stream = &compressor->stream;
  if (count > UINT32_MAX || capacity > UINT32_MAX) return 0;
  isal_deflate_init(stream);
  stream->level = level;
  stream->level_buf = compressor->work;
  stream->level_buf_size = sizeof compressor->work;
  stream->gzip_flag = IGZIP_ZLIB;
  stream->end_of_stream = 1;
  stream->flush = NO_FLUSH;
  /* ISA-L never writes to what it reads. */
  stream->next_in = (uint8_t *)(uintptr_t)in;
  stream->avail_in = (uint32_t)count;
  stream->next_out = out;
  stream->avail_out = (uint32_t)capacity;
  if (isal_deflate(stream) != COMP_OK || stream->internal_state.state != ZSTATE_END) return 0;
  return stream->total_out;
}

size_t cisal_zlib_bound(size_t count) { return count + count / 4 + 4096; }

uint32_t cisal_crc32(uint32_t crc, const uint8_t *in, size_t count) { return crc32_gzip_refl(crc, in, count); }
