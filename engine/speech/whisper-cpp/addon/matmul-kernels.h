#pragma once
// The inner kernels of matmul.cc: each computes one tile of the product from packed operands.
#include <immintrin.h>

#include <cstdint>

/** Values of a Q8_0 block, which share one scale. */
constexpr int64_t blockSize = 32;
/** Maximum number of values of a row that are packed at once: the columns of a tile fit the L1 cache, the packed rows the L2 cache. */
constexpr int64_t floatDepth = 256;
constexpr int64_t maxBlocks = 16;
/** Floats between two packed columns. The padding maps columns to different cache sets. */
constexpr int64_t columnStride = floatDepth + 16;

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#if __GNUC__ >= 12
#define HAS_AVXVNNI
#define AVXVNNI __attribute__((target("avxvnni")))
#endif

/** `rows`: packed as [depth][tile rows]; `columns`: as [tile columns][columnStride]; `tile`: written as [tile columns][tile rows]. */
inline void multiplyFloatsAvx2(const float *rows, const float *columns, int64_t depth, float *tile) {
  __m256 sums[6][2] = {};
  for (int64_t at = 0; at < depth; at++) {
    const __m256 row0 = _mm256_load_ps(rows + at * 16);
    const __m256 row1 = _mm256_load_ps(rows + at * 16 + 8);
#pragma GCC unroll 6
    for (int column = 0; column < 6; column++) {
      const __m256 value = _mm256_broadcast_ss(columns + column * columnStride + at);
      sums[column][0] = _mm256_fmadd_ps(row0, value, sums[column][0]);
      sums[column][1] = _mm256_fmadd_ps(row1, value, sums[column][1]);
    }
  }
#pragma GCC unroll 6
  for (int column = 0; column < 6; column++) {
    _mm256_store_ps(tile + column * 16, sums[column][0]);
    _mm256_store_ps(tile + column * 16 + 8, sums[column][1]);
  }
}

AVX512 inline void multiplyFloatsAvx512(const float *rows, const float *columns, int64_t depth, float *tile) {
  __m512 sums[12][2] = {};
  for (int64_t at = 0; at < depth; at++) {
    const __m512 row0 = _mm512_load_ps(rows + at * 32);
    const __m512 row1 = _mm512_load_ps(rows + at * 32 + 16);
#pragma GCC unroll 12
    for (int column = 0; column < 12; column++) {
      const __m512 value = _mm512_set1_ps(columns[column * columnStride + at]);
      sums[column][0] = _mm512_fmadd_ps(row0, value, sums[column][0]);
      sums[column][1] = _mm512_fmadd_ps(row1, value, sums[column][1]);
    }
  }
#pragma GCC unroll 12
  for (int column = 0; column < 12; column++) {
    _mm512_store_ps(tile + column * 32, sums[column][0]);
    _mm512_store_ps(tile + column * 32 + 16, sums[column][1]);
  }
}

/** Columns of Q8_0 blocks. `Value` is int16_t for kernels that multiply pairs, int8_t for groups of four. */
template <typename Value, int count> struct BlockColumns {
  alignas(64) Value values[count][maxBlocks * blockSize];
  float scales[count][maxBlocks];
  /** For rows packed as unsigned (value + 128): the negated contribution of the 128 per value to the product of a block. */
  int32_t offsets[count][maxBlocks];
};

/** Tile of 16 rows: rows of a block packed as [16 pairs][16 rows][2] int16, then 16 scales. */
template <int count>
inline void multiplyBlocksAvx2(const char *rows, const BlockColumns<int16_t, count> &columns, int64_t blocks, float *tile) {
  for (int at = 0; at < count * 16; at += 8) _mm256_store_ps(tile + at, _mm256_setzero_ps());
  for (int64_t block = 0; block < blocks; block++, rows += 16 * (blockSize * 2 + 4)) {
    __m256i sums[count][2] = {};
    for (int pair = 0; pair < 16; pair++) {
      const __m256i row0 = _mm256_load_si256(reinterpret_cast<const __m256i *>(rows + pair * 64));
      const __m256i row1 = _mm256_load_si256(reinterpret_cast<const __m256i *>(rows + pair * 64 + 32));
#pragma GCC unroll 8
      for (int column = 0; column < count; column++) {
        const auto *values = reinterpret_cast<const int32_t *>(columns.values[column] + block * blockSize);
        const __m256i value = _mm256_set1_epi32(values[pair]);
        sums[column][0] = _mm256_add_epi32(sums[column][0], _mm256_madd_epi16(row0, value));
        sums[column][1] = _mm256_add_epi32(sums[column][1], _mm256_madd_epi16(row1, value));
      }
    }
    const auto *rowScales = reinterpret_cast<const float *>(rows + 1024);
#pragma GCC unroll 8
    for (int column = 0; column < count; column++) {
      const __m256 scale = _mm256_broadcast_ss(&columns.scales[column][block]);
      for (int half = 0; half < 2; half++) {
        float *target = tile + column * 16 + half * 8;
        const __m256 scales = _mm256_mul_ps(scale, _mm256_load_ps(rowScales + half * 8));
        _mm256_store_ps(target, _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[column][half]), scales, _mm256_load_ps(target)));
      }
    }
  }
}

#ifdef HAS_AVXVNNI
/** Tile of 16 rows: rows of a block packed as [8 fours][16 rows][4] uint8 (value + 128), then 16 scales. */
template <int count>
AVXVNNI inline void multiplyBlocksVnni(const char *rows, const BlockColumns<int8_t, count> &columns, int64_t blocks, float *tile) {
  for (int at = 0; at < count * 16; at += 8) _mm256_store_ps(tile + at, _mm256_setzero_ps());
  for (int64_t block = 0; block < blocks; block++, rows += 16 * (blockSize + 4)) {
    __m256i sums[count][2];
#pragma GCC unroll 8
    for (int column = 0; column < count; column++) {
      sums[column][0] = sums[column][1] = _mm256_set1_epi32(columns.offsets[column][block]);
    }
    for (int four = 0; four < 8; four++) {
      const __m256i row0 = _mm256_load_si256(reinterpret_cast<const __m256i *>(rows + four * 64));
      const __m256i row1 = _mm256_load_si256(reinterpret_cast<const __m256i *>(rows + four * 64 + 32));
#pragma GCC unroll 8
      for (int column = 0; column < count; column++) {
        const auto *values = reinterpret_cast<const int32_t *>(columns.values[column] + block * blockSize);
        const __m256i value = _mm256_set1_epi32(values[four]);
        sums[column][0] = _mm256_dpbusd_avx_epi32(sums[column][0], row0, value);
        sums[column][1] = _mm256_dpbusd_avx_epi32(sums[column][1], row1, value);
      }
    }
    const auto *rowScales = reinterpret_cast<const float *>(rows + 512);
#pragma GCC unroll 8
    for (int column = 0; column < count; column++) {
      const __m256 scale = _mm256_broadcast_ss(&columns.scales[column][block]);
      for (int half = 0; half < 2; half++) {
        float *target = tile + column * 16 + half * 8;
        const __m256 scales = _mm256_mul_ps(scale, _mm256_load_ps(rowScales + half * 8));
        _mm256_store_ps(target, _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[column][half]), scales, _mm256_load_ps(target)));
      }
    }
  }
}
#endif

/** Tile of 32 rows: rows of a block packed as [8 fours][32 rows][4] uint8 (value + 128), then 32 scales. */
template <int count>
AVX512 inline void multiplyBlocksAvx512(const char *rows, const BlockColumns<int8_t, count> &columns, int64_t blocks, float *tile) {
  __m512 totals[count][2] = {};
  for (int64_t block = 0; block < blocks; block++, rows += 32 * (blockSize + 4)) {
    __m512i sums[count][2];
#pragma GCC unroll 8
    for (int column = 0; column < count; column++) {
      sums[column][0] = sums[column][1] = _mm512_set1_epi32(columns.offsets[column][block]);
    }
#pragma GCC unroll 8
    for (int four = 0; four < 8; four++) {
      const __m512i row0 = _mm512_load_si512(rows + four * 128);
      const __m512i row1 = _mm512_load_si512(rows + four * 128 + 64);
#pragma GCC unroll 8
      for (int column = 0; column < count; column++) {
        const auto *values = reinterpret_cast<const int32_t *>(columns.values[column] + block * blockSize);
        const __m512i value = _mm512_set1_epi32(values[four]);
        sums[column][0] = _mm512_dpbusd_epi32(sums[column][0], row0, value);
        sums[column][1] = _mm512_dpbusd_epi32(sums[column][1], row1, value);
      }
    }
    const auto *rowScales = reinterpret_cast<const float *>(rows + 1024);
#pragma GCC unroll 8
    for (int column = 0; column < count; column++) {
      const __m512 scale = _mm512_set1_ps(columns.scales[column][block]);
      for (int half = 0; half < 2; half++) {
        const __m512 scales = _mm512_mul_ps(scale, _mm512_load_ps(rowScales + half * 16));
        totals[column][half] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[column][half]), scales, totals[column][half]);
      }
    }
  }
#pragma GCC unroll 8
  for (int column = 0; column < count; column++) {
    _mm512_store_ps(tile + column * 32, totals[column][0]);
    _mm512_store_ps(tile + column * 32 + 16, totals[column][1]);
  }
}
