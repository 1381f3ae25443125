// The kernels are written once, with vectors of the compiler, and compiled for AVX-512 and for what the addon is built for (AVX2, NEON).
#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// Vectors are passed between functions that are always inlined, so that it does not matter how a call would pass them.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace onnx {

namespace {

#define INLINE static inline __attribute__((always_inline))

/** Vectors of `lanes` numbers. */
template <int lanes> struct Vectors {
  static constexpr int width = lanes;
  typedef float Floats __attribute__((vector_size(lanes * 4)));
  typedef uint32_t Words __attribute__((vector_size(lanes * 4)));
  typedef int32_t Integers __attribute__((vector_size(lanes * 4)));
  typedef Bfloat16 Halves __attribute__((vector_size(lanes * 2)));
};

template <typename V> INLINE typename V::Floats load(const float *from) {
  typename V::Floats floats;
  std::memcpy(&floats, from, sizeof(floats));
  return floats;
}

template <typename V> INLINE typename V::Floats load(const Bfloat16 *from) {
  typename V::Halves halves;
  std::memcpy(&halves, from, sizeof(halves));
  return (typename V::Floats)(__builtin_convertvector(halves, typename V::Words) << 16);
}

template <typename V> INLINE void store(float *to, typename V::Floats floats) { std::memcpy(to, &floats, sizeof(floats)); }

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
    for (int each = 0; each < count; each++) key[each] = load<V>(keys + each * head.keyStride + at);
#pragma GCC unroll 4
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

/**
 * Returns e to the power of numbers up to 0, to seven digits: 2 to the power of a whole number, which is put into the exponent, times that of a
 * number from -0.5 to 0.5, by the first terms of its series.
 */
template <typename V> INLINE typename V::Floats exponential(typename V::Floats x) {
  typedef typename V::Floats Floats;
  typedef typename V::Integers Integers;
  const Floats least = Floats{} - 87;
  x = x < least ? least : x;
  const Floats scaled = x * 1.44269504f;
  // A number of this size has no room for a fraction.
  const Floats shift = Floats{} + 12582912.0f;
  const Floats whole = (scaled + shift) - shift;
  const Floats rest = (x - whole * 0.693145752f) - whole * 1.42860677e-6f;
  Floats series = Floats{} + 1.98756909e-4f;
  series = series * rest + 1.39819994e-3f;
  series = series * rest + 8.33345205e-3f;
  series = series * rest + 4.16657962e-2f;
  series = series * rest + 1.66666657e-1f;
  series = series * rest + 0.5f;
  series = series * rest * rest + rest + 1.0f;
  const Integers exponent = (__builtin_convertvector(whole, Integers) + 127) << 23;
  return series * (Floats)exponent;
}

/** Replaces scores by their exponentials, divided by the sum of those. */
template <typename V> INLINE void normalize(float *scores, int64_t count) {
  float highest = scores[0];
  for (int64_t at = 1; at < count; at++) highest = scores[at] > highest ? scores[at] : highest;
  typename V::Floats sums{};
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) {
    const auto powers = exponential<V>(load<V>(scores + at) - highest);
    store<V>(scores + at, powers);
    sums += powers;
  }
  float sum = 0;
  for (; at < count; at++) sum += scores[at] = std::exp(scores[at] - highest);
  for (int lane = 0; lane < V::width; lane++) sum += sums[lane];
  const float factor = 1 / sum;
  for (at = 0; at < count; at++) scores[at] *= factor;
}

/** Reads `count` vectors of the values of `rows` rows. */
template <typename V, int rows, int count, typename Number> INLINE void readValues(const HeadAttention<Number> &head, int64_t firstRow, int64_t column) {
  const float *weights = head.weights + firstRow * head.positions;
  typename V::Floats sums[rows][count] = {};
  for (int64_t at = 0; at < head.positions; at++) {
    const Number *values = head.values + at * head.size + column;
#pragma GCC unroll 4
    for (int each = 0; each < count; each++) {
      const auto value = load<V>(values + each * V::width);
#pragma GCC unroll 4
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

/** Attends with up to `rowsAtOnce` rows at a time, as many as the registers hold sums for. */
template <typename V, int rowsAtOnce, typename Number> INLINE void attendWith(const HeadAttention<Number> &head) {
  int64_t row = 0;
  for (; row + rowsAtOnce <= head.rows; row += rowsAtOnce) attendRows<V, rowsAtOnce>(head, row);
  if constexpr (rowsAtOnce > 3)
    if (row + 3 <= head.rows) {
      attendRows<V, 3>(head, row);
      row += 3;
    }
  if constexpr (rowsAtOnce > 2)
    if (row + 2 <= head.rows) {
      attendRows<V, 2>(head, row);
      row += 2;
    }
  for (; row < head.rows; row++) attendRows<V, 1>(head, row);
}

#ifdef __x86_64__
template <typename Number>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) void attendAvx512(const HeadAttention<Number> &head) {
  attendWith<Vectors<16>, 4>(head);
}
#endif

} // namespace

template <typename Number> void attend(const HeadAttention<Number> &head) {
#ifdef __x86_64__
  static const bool hasAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                                __builtin_cpu_supports("avx512vl");
  if (hasAvx512) return attendAvx512(head);
#endif
  attendWith<Vectors<8>, 2>(head);
}

template void attend(const HeadAttention<float> &head);
template void attend(const HeadAttention<Bfloat16> &head);

} // namespace onnx
