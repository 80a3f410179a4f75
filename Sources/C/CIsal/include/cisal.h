/* ISA-L's deflate behind C functions: its stream is a struct of fields too large for Swift. Owner: imaging. */
#ifndef CISAL_H
#define CISAL_H
#include <stddef.h>
#include <stdint.h>

/* What a compressor works in, some 300 kB; NULL where no memory is left. One compression at a time. */
struct cisal_compressor;
struct cisal_compressor *cisal_compressor_new(void);
void cisal_compressor_free(struct cisal_compressor *compressor);

/* Compresses `count` bytes (fewer than 4 GB) to a zlib stream (RFC 1950). Gives its length, or 0 where `capacity` is too small. */
size_t cisal_zlib(struct cisal_compressor *compressor, const uint8_t *in, size_t count, uint8_t *out, size_t capacity);

/* A `capacity` that suffices for any `count` bytes: each literal costs 9 bits at most, and a block's tables come on top. */
size_t cisal_zlib_bound(size_t count);

/* CRC-32 of ISO 3309, as PNG has it, continued from `crc` (0 at first). */
uint32_t cisal_crc32(uint32_t crc, const uint8_t *in, size_t count);
#endif
