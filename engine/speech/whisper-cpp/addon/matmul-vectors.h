#pragma once
// Products of a matrix and few vectors, as in decoding: one token per beam. They are bound by memory bandwidth, so the matrix is fetched
// once, with prefetching, and converted once for all vectors.
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

struct Block {
  uint16_t scale;
  int8_t values[32];
};
static_assert(sizeof(Block) == 34, "ggml's block_q8_0");

inline __m256 load8(const uint16_t *row, int64_t at) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(row + at)));
}

inline __m256 load8(const Block *row, int64_t at) {
  const Block &block = row[at / 32];
  const __m128i values = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(block.values + at % 32));
  return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(values)), _mm256_set1_ps(_cvtsh_ss(block.scale)));
}

inline float horizontalSum(__m256 values) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/** Dot products of `rows` rows, `stride` bytes apart, with `count` vectors of F32. `depth` counts values, a multiple of 32. */
template <typename Unit, int rows, int count>
void multiplyRows(const char *data, int64_t stride, const float *vectors, int64_t vectorStride, int64_t depth, float *c, int64_t cStride) {
  const int64_t ahead = std::max<int64_t>(rows * stride, 4096);
  __m256 sums[rows][count] = {};
  for (int64_t from = 0; from < depth; from += 32) {
#pragma GCC unroll 4
    for (int row = 0; row < rows; row++) {
      _mm_prefetch(data + row * stride + from * sizeof(Unit) / (sizeof(Unit) == 2 ? 1 : 32) + ahead, _MM_HINT_T0);
    }
#pragma GCC unroll 4
    for (int64_t at = from; at < from + 32; at += 8) {
#pragma GCC unroll 4
      for (int row = 0; row < rows; row++) {
        const __m256 values = load8(reinterpret_cast<const Unit *>(data + row * stride), at);
#pragma GCC unroll 6
        for (int vector = 0; vector < count; vector++) {
          sums[row][vector] = _mm256_fmadd_ps(values, _mm256_loadu_ps(vectors + vector * vectorStride + at), sums[row][vector]);
        }
      }
    }
  }
  for (int row = 0; row < rows; row++) {
    for (int vector = 0; vector < count; vector++) c[vector * cStride + row] = horizontalSum(sums[row][vector]);
  }
}
