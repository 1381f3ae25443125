#include "numbers.h"

#include <algorithm>
#include <cmath>

#include "vectors.h"

namespace onnx {

namespace {

template <typename V> INLINE float largestWith(const float *numbers, int64_t count) {
  typename V::Floats tops = typename V::Floats{} - INFINITY;
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) tops = larger<V>(load<V>(numbers + at), tops);
  float top = largestOf<V>(tops);
  for (; at < count; at++) top = numbers[at] > top ? numbers[at] : top;
  return top;
}

template <typename V> INLINE double logSumExpWith(const float *numbers, int64_t count) {
  const float top = largestWith<V>(numbers, count);
  if (top == -INFINITY) return top;
  // In 64 bits, because thousands of improbable tokens together may decide between two that are equally probable.
  typename V::Doubles sums{};
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) sums += __builtin_convertvector(exponential<V>(load<V>(numbers + at) - top), typename V::Doubles);
  double sum = 0;
  for (; at < count; at++) sum += std::exp(numbers[at] - top);
  for (int lane = 0; lane < V::width; lane++) sum += sums[lane];
  return top + std::log(sum);
}

/** Numbers that are passed over at once where none of them is among the largest. */
constexpr int64_t blockNumbers = 256;

template <typename V> INLINE std::vector<int64_t> indicesOfLargestWith(const float *numbers, int64_t count, int64_t most) {
  std::vector<int64_t> best;
  float least = -INFINITY;
  for (int64_t from = 0; from < count; from += blockNumbers) {
    const auto end = std::min(count, from + blockNumbers);
    if (!(largestWith<V>(numbers + from, end - from) > least)) continue;
    for (int64_t at = from; at < end; at++) {
      if (!(numbers[at] > least)) continue;
      const auto place = std::find_if(best.begin(), best.end(), [&](int64_t other) { return numbers[at] > numbers[other]; });
      best.insert(place, at);
      if (static_cast<int64_t>(best.size()) > most) best.pop_back();
      if (static_cast<int64_t>(best.size()) == most) least = numbers[best.back()];
    }
  }
  return best;
}

#ifdef __x86_64__
FOR_AVX512 double logSumExpAvx512(const float *numbers, int64_t count) { return logSumExpWith<Vectors<8>>(numbers, count); }
#endif

} // namespace

double logSumExp(const float *numbers, int64_t count) {
#ifdef __x86_64__
  if (hasAvx512()) return logSumExpAvx512(numbers, count);
#endif
  return logSumExpWith<Vectors<8>>(numbers, count);
}

std::vector<int64_t> indicesOfLargest(const float *numbers, int64_t count, int64_t most) {
  return most < 1 ? std::vector<int64_t>{} : indicesOfLargestWith<Vectors<8>>(numbers, count, most);
}

} // namespace onnx
