#include "integers.h"

#include <algorithm>
#include <cstring>

// Vectors are passed between functions that are always inlined, so that it does not matter how a call would pass them.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace onnx {

namespace {

constexpr int lanes = 8;
typedef float Floats __attribute__((vector_size(lanes * sizeof(float))));
typedef int32_t Integers __attribute__((vector_size(lanes * sizeof(int32_t))));
typedef uint8_t Bytes __attribute__((vector_size(lanes)));

constexpr float largest = 255;
/** A number of this size has no room for a fraction: to add and subtract it rounds halves to the even number. */
constexpr float shift = 12582912.0f;

struct Range {
  float low = 0;
  float high = 0;
};

Range findRange(const float *row, int64_t width) {
  Floats low{}, high{};
  int64_t at = 0;
  for (; at + lanes <= width; at += lanes) {
    Floats values;
    std::memcpy(&values, row + at, sizeof(values));
    low = values < low ? values : low;
    high = values > high ? values : high;
  }
  Range range;
  for (int lane = 0; lane < lanes; lane++) range = {std::min(range.low, low[lane]), std::max(range.high, high[lane])};
  for (; at < width; at++) range = {std::min(range.low, row[at]), std::max(range.high, row[at])};
  return range;
}

} // namespace

RowScale quantizeRow(const float *row, int64_t width, uint8_t *integers) {
  const auto [low, high] = findRange(row, width);
  const float scale = high > low ? (high - low) / largest : 1;
  const float factor = 1 / scale;
  const float zero = (-low * factor + shift) - shift;
  int64_t at = 0;
  for (; at + lanes <= width; at += lanes) {
    Floats values;
    std::memcpy(&values, row + at, sizeof(values));
    Floats rounded = (values * factor + zero + shift) - shift;
    rounded = rounded < 0 ? Floats{} : rounded;
    rounded = rounded > largest ? Floats{} + largest : rounded;
    const Bytes bytes = __builtin_convertvector(__builtin_convertvector(rounded, Integers), Bytes);
    std::memcpy(integers + at, &bytes, sizeof(bytes));
  }
  for (; at < width; at++) {
    const float rounded = (row[at] * factor + zero + shift) - shift;
    integers[at] = static_cast<uint8_t>(std::clamp(rounded, 0.0f, largest));
  }
  return {scale, zero};
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

} // namespace onnx
