#include "integers.h"

#include <algorithm>
#include <cmath>

#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "vectors.h"

namespace onnx {

namespace {

constexpr float largestByte = 255;

template <typename V> INLINE RowScale quantizeRowWith(const float *row, int64_t width, uint8_t *integers) {
  typedef typename V::Floats Floats;
  Floats lows{}, highs{};
  int64_t at = 0;
  for (; at + V::width <= width; at += V::width) {
    const auto values = load<V>(row + at);
    lows = larger<V>(lows, -values);
    highs = larger<V>(highs, values);
  }
  float low = largestOf<V>(lows), high = largestOf<V>(highs);
  for (; at < width; at++) {
    low = std::max(low, -row[at]);
    high = std::max(high, row[at]);
  }
  const float scale = high + low > 0 ? (high + low) / largestByte : 1;
  const float factor = 1 / scale;
  const float zero = (low * factor + roundingShift) - roundingShift;
  for (at = 0; at + V::width <= width; at += V::width) {
    Floats rounded = roundToWhole<V>(load<V>(row + at) * factor + zero);
    rounded = larger<V>(rounded, Floats{});
    rounded = rounded > largestByte ? Floats{} + largestByte : rounded;
    const auto bytes = __builtin_convertvector(__builtin_convertvector(rounded, typename V::Integers), typename V::Bytes);
    std::memcpy(integers + at, &bytes, sizeof(bytes));
  }
  for (; at < width; at++) {
    const float rounded = (row[at] * factor + zero + roundingShift) - roundingShift;
    integers[at] = static_cast<uint8_t>(std::clamp(rounded, 0.0f, largestByte));
  }
  return {scale, zero};
}

/** ONNX's default. */
constexpr float varianceEpsilon = 1e-5f;

template <typename V> INLINE RowScale normalizeRowWith(const float *row, int64_t width, Norm norm, float *normalized, uint8_t *integers) {
  typedef typename V::Floats Floats;
  Floats sums{};
  int64_t at = 0;
  for (; at + V::width <= width; at += V::width) sums += load<V>(row + at);
  float mean = sumOf<V>(sums);
  for (; at < width; at++) mean += row[at];
  mean /= static_cast<float>(width);
  Floats squares{};
  for (at = 0; at + V::width <= width; at += V::width) {
    const Floats distance = load<V>(row + at) - mean;
    squares += distance * distance;
  }
  float variance = sumOf<V>(squares);
  for (; at < width; at++) variance += (row[at] - mean) * (row[at] - mean);
  const float factor = 1 / std::sqrt(variance / static_cast<float>(width) + varianceEpsilon);
  for (at = 0; at + V::width <= width; at += V::width)
    store<V>(normalized + at, (load<V>(row + at) - mean) * factor * load<V>(norm.weights + at) + load<V>(norm.biases + at));
  for (; at < width; at++) normalized[at] = (row[at] - mean) * factor * norm.weights[at] + norm.biases[at];
  return quantizeRowWith<V>(normalized, width, integers);
}

/** Multiplies each byte of one vector, less `offset`, by that of the other, and adds four products to each of its sums. */
struct GenericBytes {
  using V = Vectors<4>;
  static constexpr int offset = 0;
  INLINE V::Integers multiplyAdd(V::Integers sum, const uint8_t *left, const int8_t *right) {
    for (int lane = 0; lane < 4; lane++)
      for (int at = lane * 4; at < lane * 4 + 4; at++) sum[lane] += left[at] * right[at];
    return sum;
  }
};

#ifdef __x86_64__
/** Bytes of the matrix between what is multiplied and what is fetched meanwhile. */
constexpr int64_t bytesAhead = 4096;

#ifdef HAS_AVX_VNNI
struct AvxVnniBytes {
  using V = Vectors<8>;
  static constexpr int offset = 0;
  INLINE V::Integers multiplyAdd(V::Integers sum, const uint8_t *left, const int8_t *right) {
    V::Integers one, other;
    std::memcpy(&one, left, sizeof(one));
    std::memcpy(&other, right, sizeof(other));
    return (V::Integers)__builtin_ia32_vpdpbusd_v8si(sum, one, other);
  }
};
#endif

struct Avx512Bytes {
  using V = Vectors<16>;
  static constexpr int offset = 0;
  INLINE V::Integers multiplyAdd(V::Integers sum, const uint8_t *left, const int8_t *right) {
    V::Integers one, other;
    std::memcpy(&one, left, sizeof(one));
    std::memcpy(&other, right, sizeof(other));
    return (V::Integers)__builtin_ia32_vpdpbusd_v16si(sum, one, other);
  }
};
#endif

#ifdef __aarch64__
struct DotProductBytes {
  using V = Vectors<4>;
  /** The instruction has signs on both sides. */
  static constexpr int offset = 128;

  INLINE V::Integers multiplyAdd(V::Integers sum, const uint8_t *left, const int8_t *right) {
    V::Integers one, other;
    std::memcpy(&one, left, sizeof(one));
    std::memcpy(&other, right, sizeof(other));
    one ^= static_cast<int32_t>(0x80808080);
    // The compiler's function for it may be inlined only where all of the file is compiled for such processors.
    asm(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(one), "w"(other));
    return sum;
  }
};

bool hasDotProduct() {
  static const bool has = getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
  return has;
}
#endif

/** Columns of a tile. */
constexpr int tileColumns = 4;

typedef int32_t Quad __attribute__((vector_size(16)));

/** Returns the sum of each of four vectors. */
template <typename V> INLINE Quad sumEach(const typename V::Integers (&sums)[tileColumns]) {
  Quad quads[tileColumns] = {};
  for (int column = 0; column < tileColumns; column++)
    for (int part = 0; part < V::width / 4; part++) {
      Quad quad;
      std::memcpy(&quad, reinterpret_cast<const char *>(&sums[column]) + part * sizeof(quad), sizeof(quad));
      quads[column] += quad;
    }
  Quad result;
  for (int column = 0; column < tileColumns; column++) result[column] = quads[column][0] + quads[column][1] + quads[column][2] + quads[column][3];
  return result;
}

/** Multiplies `count` rows with `tileColumns` columns into `products`, a row each `columnsAtOnce` integers. */
template <typename Bytes, int count> INLINE void multiplyTile(const uint8_t *rows, const int8_t *columns, int64_t width, int32_t *products) {
  using V = typename Bytes::V;
  constexpr int step = V::width * 4;
  typename V::Integers sums[count][tileColumns] = {};
  int64_t at = 0;
  for (; at + step <= width; at += step)
#pragma GCC unroll 4
    for (int column = 0; column < tileColumns; column++) {
      const int8_t *right = columns + column * width + at;
#ifdef __x86_64__
      __builtin_prefetch(right + bytesAhead);
#endif
#pragma GCC unroll 6
      for (int row = 0; row < count; row++) sums[row][column] = Bytes::multiplyAdd(sums[row][column], rows + row * width + at, right);
    }
  for (int row = 0; row < count; row++) {
    Quad quad = sumEach<V>(sums[row]);
    for (int64_t rest = at; rest < width; rest++)
      for (int column = 0; column < tileColumns; column++)
        quad[column] += (rows[row * width + rest] - Bytes::offset) * columns[column * width + rest];
    std::memcpy(products + row * columnsAtOnce, &quad, sizeof(quad));
  }
}

INLINE int32_t multiplyOne(const uint8_t *row, const int8_t *column, int64_t width, int offset) {
  int32_t sum = 0;
  for (int64_t at = 0; at < width; at++) sum += (row[at] - offset) * column[at];
  return sum;
}

template <typename Bytes, int count>
INLINE void multiplyFew(const IntegerRows &rows, int64_t first, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride) {
  int32_t products[count * columnsAtOnce];
  const uint8_t *integers = rows.integers + first * rows.width;
  int64_t column = 0;
  for (; column + tileColumns <= columns.count; column += tileColumns)
    multiplyTile<Bytes, count>(integers, matrix + column * rows.width, rows.width, products + column);
  for (; column < columns.count; column++)
    for (int row = 0; row < count; row++)
      products[row * columnsAtOnce + column] = multiplyOne(integers + row * rows.width, matrix + column * rows.width, rows.width, Bytes::offset);
  for (int row = 0; row < count; row++) {
    const auto [scale, zero] = rows.scales[first + row];
    scaleProducts(products + row * columnsAtOnce, {scale, zero - Bytes::offset}, columns, results + (first + row) * stride);
  }
}

/** Multiplies up to `rowsAtOnce` rows at a time, as many as the registers hold sums for. */
template <typename Bytes, int rowsAtOnce>
INLINE void multiplyRowsWith(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride, int64_t row = 0) {
  for (; row + rowsAtOnce <= rows.count; row += rowsAtOnce) multiplyFew<Bytes, rowsAtOnce>(rows, row, matrix, columns, results, stride);
  if constexpr (rowsAtOnce > 1) multiplyRowsWith<Bytes, rowsAtOnce - 1>(rows, matrix, columns, results, stride, row);
}

#ifdef __x86_64__
FOR_AVX512 RowScale quantizeRowAvx512(const float *row, int64_t width, uint8_t *integers) { return quantizeRowWith<Vectors<16>>(row, width, integers); }

FOR_AVX512 RowScale normalizeRowAvx512(const float *row, int64_t width, Norm norm, float *normalized, uint8_t *integers) {
  return normalizeRowWith<Vectors<16>>(row, width, norm, normalized, integers);
}

FOR_AVX512_VNNI void multiplyRowsAvx512(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride) {
  multiplyRowsWith<Avx512Bytes, 6>(rows, matrix, columns, results, stride);
}

#ifdef HAS_AVX_VNNI
FOR_AVX_VNNI void multiplyRowsAvxVnni(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride) {
  multiplyRowsWith<AvxVnniBytes, 2>(rows, matrix, columns, results, stride);
}
#endif
#endif

} // namespace

RowScale quantizeRow(const float *row, int64_t width, uint8_t *integers) {
#ifdef __x86_64__
  if (hasAvx512()) return quantizeRowAvx512(row, width, integers);
#endif
  return quantizeRowWith<Vectors<8>>(row, width, integers);
}

RowScale normalizeAndQuantizeRow(const float *row, int64_t width, Norm norm, float *normalized, uint8_t *integers) {
#ifdef __x86_64__
  if (hasAvx512()) return normalizeRowAvx512(row, width, norm, normalized, integers);
#endif
  return normalizeRowWith<Vectors<8>>(row, width, norm, normalized, integers);
}

void scaleProducts(const int32_t *products, RowScale row, const IntegerColumns &columns, float *results) {
  const auto zero = static_cast<int32_t>(row.zero);
  const auto *const scales = columns.scales, *const biases = columns.biases;
  const auto *const sums = columns.sums;
  if (biases)
    for (int64_t at = 0; at < columns.count; at++)
      results[at] = static_cast<float>(products[at] - zero * sums[at]) * (row.scale * scales[at]) + biases[at];
  else
    for (int64_t at = 0; at < columns.count; at++) results[at] = static_cast<float>(products[at] - zero * sums[at]) * (row.scale * scales[at]);
}

void multiplyRows(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride) {
#ifdef __x86_64__
  if (hasAvx512Vnni()) return multiplyRowsAvx512(rows, matrix, columns, results, stride);
#ifdef HAS_AVX_VNNI
  if (__builtin_cpu_supports("avxvnni")) return multiplyRowsAvxVnni(rows, matrix, columns, results, stride);
#endif
#endif
#ifdef __aarch64__
  if (hasDotProduct()) return multiplyRowsWith<DotProductBytes, 5>(rows, matrix, columns, results, stride);
#endif
  multiplyRowsWith<GenericBytes, 2>(rows, matrix, columns, results, stride);
}

} // namespace onnx
