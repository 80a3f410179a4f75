/* SHA-256 after FIPS 180-4, with x86's SHA instructions where the processor has them (about 6 times faster: hashing two
   card images must not cost a tenth of reading them). Both paths are held against the standard's vectors in tests. */
#include "cprocess.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static const uint32_t K[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int by) { return (word >> by) | (word << (32 - by)); }

static void compress_portable(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
      w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
    for (int i = 16; i < 64; i++) {
      uint32_t s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >> 3);
      uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
      uint32_t big1 = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25);
      uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      uint32_t t1 = v[7] + big1 + choice + K[i] + w[i];
      uint32_t big0 = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22);
      uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      memmove(v + 1, v, 7 * sizeof *v);
      v[4] += t1;
      v[0] = t1 + big0 + majority;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
  }
}

#if defined(__x86_64__)
/* The instructions keep the state as (A B E F) and (C D G H); sha256msg1/msg2 make the message schedule four words at a time. */
__attribute__((target("sha,sse4.1,ssse3"))) static void compress_sha(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
  __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i m[4];
    for (int i = 0; i < 4; i++) m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), swap);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
      if (i >= 4) {
        __m128i next = _mm_sha256msg1_epu32(m[i & 3], m[(i + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(m[(i + 3) & 3], m[(i + 2) & 3], 4));
        m[i & 3] = _mm_sha256msg2_epu32(next, m[(i + 3) & 3]);
      }
      __m128i words = _mm_add_epi32(m[i & 3], _mm_loadu_si128((const __m128i *)(K + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  state[0] = (uint32_t)_mm_extract_epi32(abef, 3);
  state[1] = (uint32_t)_mm_extract_epi32(abef, 2);
  state[4] = (uint32_t)_mm_extract_epi32(abef, 1);
  state[5] = (uint32_t)_mm_extract_epi32(abef, 0);
  state[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
  state[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
  state[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
  state[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

#include <cpuid.h>
static int has_sha(void) {
  static int known = -1;  /* written with the same value by whichever thread comes first */
  int value = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (value < 0) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    value = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) && __builtin_cpu_supports("sse4.1");
    __atomic_store_n(&known, value, __ATOMIC_RELAXED);
  }
  return value;
}
#endif

static void compress(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
#if defined(__x86_64__)
  if (has_sha()) { compress_sha(state, bytes, blocks); return; }
#endif
  compress_portable(state, bytes, blocks);
}

void cprocess_sha256_init(cprocess_sha256 *context) {
  static const uint32_t start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  memset(context, 0, sizeof *context);
  memcpy(context->state, start, sizeof start);
}

void cprocess_sha256_update(cprocess_sha256 *context, const void *data, size_t count) {
  const uint8_t *bytes = data;
  context->length += count;
  if (context->filled > 0) {
    size_t part = 64 - context->filled < count ? 64 - context->filled : count;
    memcpy(context->block + context->filled, bytes, part);
    context->filled += part;
    bytes += part;
    count -= part;
    if (context->filled < 64) return;
    compress(context->state, context->block, 1);
    context->filled = 0;
  }
  compress(context->state, bytes, count / 64);
  bytes += count / 64 * 64;
  count %= 64;
  if (count > 0) memcpy(context->block, bytes, count);
  context->filled = count;
}

void cprocess_sha256_final(cprocess_sha256 *context, uint8_t digest[32]) {
  uint64_t bits = context->length * 8;
  uint8_t tail[72] = {0x80};
  size_t padding = (context->filled < 56 ? 56 : 120) - context->filled;
  for (int i = 0; i < 8; i++) tail[padding + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  cprocess_sha256_update(context, tail, padding + 8);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++) digest[4 * i + j] = (uint8_t)(context->state[i] >> (24 - 8 * j));
}
