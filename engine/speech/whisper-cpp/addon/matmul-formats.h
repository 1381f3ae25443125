#pragma once
// Operand formats of matmul.cc: how rows of ggml's matrices are packed for the kernels.
#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ggml.h"
#include "matmul-kernels.h"
#include "matmul-vectors.h"

// Each addon source has its own copy, so that no name clashes with one of whisper.cpp.
namespace {

/** Rows of a matrix, as ggml stores them. `stride` is in bytes. */
struct Matrix {
  const char *data;
  int64_t stride;
  int64_t rows;
  int type;
};

inline void readFloats(const Matrix &matrix, int64_t row, int64_t from, int64_t count, float *out) {
  if (row >= matrix.rows) return void(std::fill_n(out, count, 0.0f));
  const char *data = matrix.data + row * matrix.stride;
  if (matrix.type == WSP_GGML_TYPE_F32) return void(std::memcpy(out, data + from * 4, count * 4));
  const auto *halves = reinterpret_cast<const uint16_t *>(data) + from;
  int64_t at = 0;
  for (; at + 8 <= count; at += 8) {
    _mm256_storeu_ps(out + at, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(halves + at))));
  }
  for (; at < count; at++) out[at] = _cvtsh_ss(halves[at]);
}

/** F32 and F16 in any combination; both are packed as F32. */
template <int rows, int columns, void (*kernel)(const float *, const float *, int64_t, float *)> struct Floats {
  static constexpr int tileRows = rows, tileColumns = columns;
  static constexpr int64_t passRows = 128, passDepth = floatDepth;

  struct Columns {
    alignas(64) float values[columns][columnStride];
  };
  struct Rows {
    alignas(64) float values[passDepth][rows];
  };

  static void packRows(const Matrix &a, int64_t first, int64_t from, int64_t depth, Rows &out) {
    float line[floatDepth];
    for (int row = 0; row < rows; row++) {
      readFloats(a, first + row, from, depth, line);
      for (int64_t at = 0; at < depth; at++) out.values[at][row] = line[at];
    }
  }

  static void packColumns(const Matrix &b, int64_t first, int64_t from, int64_t depth, Columns &out) {
    for (int column = 0; column < columns; column++) readFloats(b, first + column, from, depth, out.values[column]);
  }

  static void multiply(const Rows &a, const Columns &b, int64_t depth, float *tile) { kernel(a.values[0], b.values[0], depth, tile); }
};

inline const Block *blocksOf(const Matrix &matrix, int64_t row) {
  static const Block zeros[maxBlocks] = {};
  return row < matrix.rows ? reinterpret_cast<const Block *>(matrix.data + row * matrix.stride) : zeros;
}

/** Q8_0 with Q8_0. The values of a block are packed in groups of four bytes, whose products one instruction sums up. */
template <int rows, int columns, typename Value, void (*kernel)(const char *, const BlockColumns<Value, columns> &, int64_t, float *)>
struct Blocks {
  static constexpr int tileRows = rows, tileColumns = columns;
  static constexpr int64_t passRows = 256, passDepth = maxBlocks;
  static constexpr int groupValues = 4 / sizeof(Value), groups = blockSize / groupValues;

  using Columns = BlockColumns<Value, columns>;
  struct PackedBlock {
    uint32_t values[groups][rows];
    float scales[rows];
  };
  struct Rows {
    alignas(64) PackedBlock blocks[passDepth];
  };

  static void packRows(const Matrix &a, int64_t first, int64_t from, int64_t depth, Rows &out) {
    for (int row = 0; row < rows; row++) {
      const Block *blocks = blocksOf(a, first + row) + (first + row < a.rows ? from : 0);
      for (int64_t at = 0; at < depth; at++) {
        Value values[blockSize];
        for (int i = 0; i < blockSize; i++) values[i] = sizeof(Value) == 1 ? blocks[at].values[i] ^ -128 : blocks[at].values[i];
        uint32_t words[groups];
        std::memcpy(words, values, sizeof words);
        for (int group = 0; group < groups; group++) out.blocks[at].values[group][row] = words[group];
        out.blocks[at].scales[row] = _cvtsh_ss(blocks[at].scale);
      }
    }
  }

  static void packColumns(const Matrix &b, int64_t first, int64_t from, int64_t depth, Columns &out) {
    for (int column = 0; column < columns; column++) {
      const Block *blocks = blocksOf(b, first + column) + (first + column < b.rows ? from : 0);
      for (int64_t at = 0; at < depth; at++) {
        int32_t sum = 0;
        for (int i = 0; i < blockSize; i++) {
          out.values[column][at * blockSize + i] = blocks[at].values[i];
          sum += blocks[at].values[i];
        }
        out.scales[column][at] = _cvtsh_ss(blocks[at].scale);
        out.offsets[column][at] = -128 * sum;
      }
    }
  }

  static void multiply(const Rows &a, const Columns &b, int64_t depth, float *tile) {
    kernel(reinterpret_cast<const char *>(a.blocks), b, depth, tile);
  }
};

} // namespace
