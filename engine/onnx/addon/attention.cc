// The kernels are written once, with vectors of the compiler, and compiled for AVX-512 and for what the addon is built for (AVX2, NEON).
#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "vectors.h"

namespace onnx {

namespace {

INLINE float toFloat(float value) { return value; }

INLINE float toFloat(Bfloat16 half) {
  const uint32_t word = static_cast<uint32_t>(half) << 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

/** Key dimensions that are added to the scores at once. */
constexpr int dimensionsAtOnce = 4;

/** Adds, or with `isFirst` writes, to the scores of `rows` rows what `count` dimensions of their queries give. */
template <typename V, int rows, int count, bool isFirst, typename Number>
INLINE void addScores(const HeadAttention<Number> &head, int64_t firstRow, int64_t dimension) {
  const Number *keys = head.keys + dimension * head.keyStride;
  const float *queries = head.queries + firstRow * head.stride + dimension;
  float *scores = head.weights + firstRow * head.positions;
  int64_t at = 0;
  for (; at + V::width <= head.positions; at += V::width) {
    typename V::Floats key[count];
#pragma GCC unroll 4
    for (int each = 0; each < count; each++) {
      key[each] = load<V>(keys + each * head.keyStride + at);
      __builtin_prefetch(keys + (each + count) * head.keyStride + at);
    }
#pragma GCC unroll 6
    for (int row = 0; row < rows; row++) {
      float *const score = scores + row * head.positions + at;
      typename V::Floats sum = isFirst ? typename V::Floats{} : load<V>(score);
#pragma GCC unroll 4
      for (int each = 0; each < count; each++) sum += queries[row * head.stride + each] * key[each];
      store<V>(score, sum);
    }
  }
  for (; at < head.positions; at++)
    for (int row = 0; row < rows; row++) {
      float *const score = scores + row * head.positions + at;
      float sum = isFirst ? 0 : *score;
      for (int each = 0; each < count; each++) sum += queries[row * head.stride + each] * toFloat(keys[each * head.keyStride + at]);
      *score = sum;
    }
}

template <typename V, int rows, typename Number> INLINE void computeScores(const HeadAttention<Number> &head, int64_t firstRow) {
  int64_t dimension = 0;
  if (head.size >= dimensionsAtOnce) {
    addScores<V, rows, dimensionsAtOnce, true>(head, firstRow, 0);
    dimension = dimensionsAtOnce;
  } else {
    addScores<V, rows, 1, true>(head, firstRow, 0);
    dimension = 1;
  }
  for (; dimension + dimensionsAtOnce <= head.size; dimension += dimensionsAtOnce)
    addScores<V, rows, dimensionsAtOnce, false>(head, firstRow, dimension);
  for (; dimension < head.size; dimension++) addScores<V, rows, 1, false>(head, firstRow, dimension);
}

/** Replaces scores by their exponentials, divided by the sum of those. */
template <typename V> INLINE void normalize(float *scores, int64_t count) {
  typename V::Floats tops = typename V::Floats{} - INFINITY;
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) tops = larger<V>(tops, load<V>(scores + at));
  float highest = largestOf<V>(tops);
  for (; at < count; at++) highest = scores[at] > highest ? scores[at] : highest;
  typename V::Floats sums{};
  for (at = 0; at + V::width <= count; at += V::width) {
    const auto powers = exponential<V>(load<V>(scores + at) - highest);
    store<V>(scores + at, powers);
    sums += powers;
  }
  float sum = 0;
  for (; at < count; at++) sum += scores[at] = std::exp(scores[at] - highest);
  sum += sumOf<V>(sums);
  const float factor = 1 / sum;
  for (at = 0; at < count; at++) scores[at] *= factor;
}

/** Positions between what is read and what is fetched from memory meanwhile. */
constexpr int64_t positionsAhead = 16;

/** Reads `count` vectors of the values of `rows` rows. */
template <typename V, int rows, int count, typename Number> INLINE void readValues(const HeadAttention<Number> &head, int64_t firstRow, int64_t column) {
  const float *weights = head.weights + firstRow * head.positions;
  typename V::Floats sums[rows][count] = {};
  for (int64_t at = 0; at < head.positions; at++) {
    const Number *values = head.values + at * head.size + column;
    __builtin_prefetch(values + positionsAhead * head.size);
    if constexpr (count > 2) __builtin_prefetch(values + positionsAhead * head.size + count / 2 * V::width);
#pragma GCC unroll 4
    for (int each = 0; each < count; each++) {
      const auto value = load<V>(values + each * V::width);
#pragma GCC unroll 6
      for (int row = 0; row < rows; row++) sums[row][each] += weights[row * head.positions + at] * value;
    }
  }
  for (int row = 0; row < rows; row++)
    for (int each = 0; each < count; each++)
      store<V>(head.results + (firstRow + row) * head.stride + column + each * V::width, sums[row][each]);
}

template <typename V, int rows, typename Number> INLINE void attendRows(const HeadAttention<Number> &head, int64_t firstRow) {
  computeScores<V, rows>(head, firstRow);
  for (int row = 0; row < rows; row++) normalize<V>(head.weights + (firstRow + row) * head.positions, head.positions);
  int64_t column = 0;
  for (; column + 4 * V::width <= head.size; column += 4 * V::width) readValues<V, rows, 4>(head, firstRow, column);
  for (; column + V::width <= head.size; column += V::width) readValues<V, rows, 1>(head, firstRow, column);
  for (; column < head.size; column++)
    for (int64_t row = firstRow; row < firstRow + rows; row++) {
      float sum = 0;
      for (int64_t at = 0; at < head.positions; at++) sum += head.weights[row * head.positions + at] * toFloat(head.values[at * head.size + column]);
      head.results[row * head.stride + column] = sum;
    }
}

/** Attends with up to `rowsAtOnce` rows at a time, as many as the registers hold sums for: keys and values are fetched once for all of them. */
template <typename V, int rowsAtOnce, typename Number> INLINE void attendWith(const HeadAttention<Number> &head, int64_t row = 0) {
  for (; row + rowsAtOnce <= head.rows; row += rowsAtOnce) attendRows<V, rowsAtOnce>(head, row);
  if constexpr (rowsAtOnce > 1) attendWith<V, rowsAtOnce - 1>(head, row);
}

#ifdef __x86_64__
template <typename Number> FOR_AVX512 void attendAvx512(const HeadAttention<Number> &head) {
  attendWith<Vectors<16>, 6>(head);
}
#endif

} // namespace

template <typename Number> void attend(const HeadAttention<Number> &head) {
#ifdef __x86_64__
  if (hasAvx512()) return attendAvx512(head);
#endif
  attendWith<Vectors<8>, 2>(head);
}

template void attend(const HeadAttention<float> &head);
template void attend(const HeadAttention<Bfloat16> &head);

} // namespace onnx
