// Matrix products for ggml on x86-64: operands are packed into tiles that stay in the caches, and a tile of the product stays in
// registers. ggml's own product computes one dot product after another and loads (and converts) both operands for each.
#include "llamafile/sgemm.h"

#include "ggml-cpu-impl.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include <algorithm>
#include <cstring>

#include "matmul-kernels.h"
#include "matmul-vectors.h"

namespace {

/** Rows of a matrix, as ggml stores them. `stride` is in bytes. */
struct Matrix {
  const char *data;
  int64_t stride;
  int64_t rows;
  int type;
};

struct Product {
  Matrix a, b;
  int64_t depth;
  float *c;
  /** Floats between two columns of C, which are contiguous each. */
  int64_t stride;
};

struct Range {
  int64_t begin, end;
};

void readFloats(const Matrix &matrix, int64_t row, int64_t from, int64_t count, float *out) {
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

/** F32 and F16, in any combination: both are packed as F32. */
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

const Block *blocksOf(const Matrix &matrix, int64_t row) {
  static const Block zeros[maxBlocks] = {};
  return row < matrix.rows ? reinterpret_cast<const Block *>(matrix.data + row * matrix.stride) : zeros;
}

/** Q8_0 and Q8_0. A block's values are packed in groups of four bytes, which an instruction multiplies and adds into one sum. */
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

using FloatsAvx2 = Floats<16, 6, multiplyFloatsAvx2>;
using FloatsAvx512 = Floats<32, 12, multiplyFloatsAvx512>;
using BlocksAvx2 = Blocks<16, 4, int16_t, multiplyBlocksAvx2<4>>;
#ifdef HAS_AVXVNNI
using BlocksVnni = Blocks<16, 6, int8_t, multiplyBlocksVnni<6>>;
#endif
using BlocksAvx512 = Blocks<32, 6, int8_t, multiplyBlocksAvx512<6>>;

template <typename Format>
void storeTile(const float *tile, const Product &product, int64_t row, int64_t column, Range rows, Range columns, bool add) {
  const int64_t height = std::min<int64_t>(Format::tileRows, rows.end - row);
  const int64_t width = std::min<int64_t>(Format::tileColumns, columns.end - column);
  for (int64_t x = 0; x < width; x++) {
    float *out = product.c + (column + x) * product.stride + row;
    const float *from = tile + x * Format::tileRows;
    const auto write = [&](int64_t count) {
      for (int64_t y = 0; y < count; y++) out[y] = add ? out[y] + from[y] : from[y];
    };
    // A count known to the compiler makes it a handful of vector instructions.
    height == Format::tileRows ? write(Format::tileRows) : write(height);
  }
}

/** Computes the part of C in `rows` of A and `columns` (rows of B). */
template <typename Format> void multiplyPart(const Product &product, Range rows, Range columns) {
  static thread_local typename Format::Rows packedRows[Format::passRows / Format::tileRows];
  static thread_local typename Format::Columns packedColumns;
  alignas(64) float tile[Format::tileRows * Format::tileColumns];
  for (int64_t from = 0; from < product.depth; from += Format::passDepth) {
    const int64_t depth = std::min(Format::passDepth, product.depth - from);
    for (int64_t top = rows.begin; top < rows.end; top += Format::passRows) {
      const int64_t bottom = std::min(top + Format::passRows, rows.end);
      for (int64_t row = top, at = 0; row < bottom; row += Format::tileRows, at++) {
        Format::packRows(product.a, row, from, depth, packedRows[at]);
      }
      for (int64_t column = columns.begin; column < columns.end; column += Format::tileColumns) {
        Format::packColumns(product.b, column, from, depth, packedColumns);
        for (int64_t row = top, at = 0; row < bottom; row += Format::tileRows, at++) {
          Format::multiply(packedRows[at], packedColumns, depth, tile);
          storeTile<Format>(tile, product, row, column, rows, columns, from > 0);
        }
      }
    }
  }
}

Range shareOf(int64_t count, int64_t unit, int ith, int nth) {
  const int64_t units = (count + unit - 1) / unit;
  return {std::min(units * ith / nth * unit, count), std::min(units * (ith + 1) / nth * unit, count)};
}

/** Threads share the rows of A, so that none packs what another packs too, unless that would leave some with much less than others. */
template <typename Format> void multiplyShare(const Product &product, int ith, int nth) {
  const Range allRows = {0, product.a.rows}, allColumns = {0, product.b.rows};
  if (product.a.rows >= 4 * nth * Format::tileRows) {
    multiplyPart<Format>(product, shareOf(product.a.rows, Format::tileRows, ith, nth), allColumns);
  } else {
    multiplyPart<Format>(product, allRows, shareOf(product.b.rows, Format::tileColumns, ith, nth));
  }
}

template <typename Unit, int columns> void multiplyVectors(const Product &product, int ith, int nth) {
  constexpr int height = columns < 3 ? 4 : 2;
  const Matrix &a = product.a, &b = product.b;
  const int64_t depth = product.depth * (a.type == WSP_GGML_TYPE_Q8_0 ? blockSize : 1);
  const auto *vectors = reinterpret_cast<const float *>(b.data);
  const Range rows = shareOf(a.rows, 16, ith, nth);
  int64_t row = rows.begin;
  const auto multiply = [&](auto kernel) {
    kernel(a.data + row * a.stride, a.stride, vectors, b.stride / 4, depth, product.c + row, product.stride);
  };
  for (; row + height <= rows.end; row += height) multiply(multiplyRows<Unit, height, columns>);
  for (; row < rows.end; row++) multiply(multiplyRows<Unit, 1, columns>);
}

/** Most columns for which A is read as it lies. With more, packing pays. */
constexpr int64_t maxVectors = 6;

template <typename Unit> void multiplyFew(const Product &product, int ith, int nth) {
  static constexpr void (*byCount[maxVectors])(const Product &, int, int) = {
      multiplyVectors<Unit, 1>, multiplyVectors<Unit, 2>, multiplyVectors<Unit, 3>,
      multiplyVectors<Unit, 4>, multiplyVectors<Unit, 5>, multiplyVectors<Unit, 6>,
  };
  byCount[product.b.rows - 1](product, ith, nth);
}

using Multiply = void (*)(const Product &, int ith, int nth);

struct Kernels {
  Multiply floats, blocks;
};

/** The fastest kernels that this CPU runs. One build serves all of x86-64-v3, and AMX stays out: it dies in many virtual machines. */
Kernels chooseKernels() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vnni"))
    return {multiplyShare<FloatsAvx512>, multiplyShare<BlocksAvx512>};
#ifdef HAS_AVXVNNI
  if (__builtin_cpu_supports("avxvnni")) return {multiplyShare<FloatsAvx2>, multiplyShare<BlocksVnni>};
#endif
  return {multiplyShare<FloatsAvx2>, multiplyShare<BlocksAvx2>};
}

int64_t unitBytes(int type) {
  if (type == WSP_GGML_TYPE_Q8_0) return sizeof(Block);
  return type == WSP_GGML_TYPE_F32 ? 4 : 2;
}

bool isFloat(int type) { return type == WSP_GGML_TYPE_F32 || type == WSP_GGML_TYPE_F16; }

/** The function for these operands, or null. Q8_0 is called for twice: with B as F32 and, when that is declined, quantized. */
Multiply findMultiply(const Matrix &a, const Matrix &b, int64_t depth) {
  static const Kernels kernels = chooseKernels();
  if (b.rows <= maxVectors) {
    if (b.type != WSP_GGML_TYPE_F32) return nullptr;
    if (a.type == WSP_GGML_TYPE_Q8_0) return multiplyFew<Block>;
    return a.type == WSP_GGML_TYPE_F16 && depth % 32 == 0 ? multiplyFew<uint16_t> : nullptr;
  }
  if (a.type == WSP_GGML_TYPE_Q8_0 && b.type == WSP_GGML_TYPE_Q8_0) return kernels.blocks;
  return isFloat(a.type) && isFloat(b.type) ? kernels.floats : nullptr;
}

} // namespace

bool llamafile_sgemm(const struct wsp_ggml_compute_params *params, int64_t m, int64_t n, int64_t k, const void *A, int64_t lda,
                     const void *B, int64_t ldb, void *C, int64_t ldc, int Atype, int Btype, int Ctype) {
  const Matrix a = {static_cast<const char *>(A), lda * unitBytes(Atype), m, Atype};
  const Matrix b = {static_cast<const char *>(B), ldb * unitBytes(Btype), n, Btype};
  const Multiply multiply = Ctype == WSP_GGML_TYPE_F32 ? findMultiply(a, b, k) : nullptr;
  if (multiply) multiply({a, b, k, static_cast<float *>(C), ldc}, params->ith, params->nth);
  return multiply != nullptr;
}

#else

bool llamafile_sgemm(const struct wsp_ggml_compute_params *, int64_t, int64_t, int64_t, const void *, int64_t, const void *, int64_t,
                     void *, int64_t, int, int, int) {
  return false;
}

#endif
