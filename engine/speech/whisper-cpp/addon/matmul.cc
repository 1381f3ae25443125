// Matrix products for ggml on x86-64: operands are packed into tiles that stay in the caches, and a tile of the product stays in
// registers. The product of ggml computes one dot product after another and loads (and converts) both operands for each.
#include "llamafile/sgemm.h"

#include "ggml-cpu-impl.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include <algorithm>
#include <cstring>

#include "matmul-formats.h"
#include "matmul-kernels.h"
#include "matmul-vectors.h"

namespace {

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
    // A constant count compiles to a few vector instructions.
    height == Format::tileRows ? write(Format::tileRows) : write(height);
  }
}

/** Computes the part of C for `rows` of A and `columns` (rows of B). */
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

/** Splits the rows of A among threads, so that no rows are packed twice, unless the shares would be very uneven. */
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

/** Maximum number of columns for which A is not packed. */
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

/** Returns the fastest kernels for this CPU. One build serves all of x86-64-v3; AMX is not used, because it crashes in many virtual machines. */
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

/** Returns the function for these operands, or null. ggml calls twice for Q8_0: with B as F32 and, if declined, quantized. */
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
