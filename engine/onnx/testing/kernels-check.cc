// Compares every kernel that this CPU supports with what its formula says in 64 bits, for sizes with all remainders.
#include "full-attention.cc"
#include "integers.cc"

#include <cstdio>
#include <random>

using namespace onnx;

namespace {

std::mt19937 generator(1);

int64_t upTo(int64_t max) { return std::uniform_int_distribution<int64_t>(1, max)(generator); }

std::vector<float> normalNumbers(int64_t count, float deviation = 1) {
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> numbers(count);
  for (auto &number : numbers) number = normal(generator);
  return numbers;
}

/** Returns the largest error of a head among others, whose values are up to about 4. */
double findAttentionError(void (*attend)(const FullHeadAttention &), int64_t positions, int64_t size) {
  const int64_t stride = size * 3 + 2;
  auto numbers = normalNumbers(positions * stride);
  // Scores of trained models are no larger.
  for (int64_t row = 0; row < positions; row++)
    for (int64_t at = 0; at < size; at++) numbers[row * stride + at] *= 4 / std::sqrt(static_cast<float>(size));
  const float *queries = numbers.data(), *keys = queries + size, *values = keys + size;
  std::vector<float> results(positions * (size + 1), -12345);
  attend({positions, size, queries, keys, values, stride, results.data(), size + 1});
  double worst = 0;
  for (int64_t row = 0; row < positions; row++) {
    std::vector<double> scores(positions, 0);
    double top = -INFINITY, sum = 0;
    for (int64_t at = 0; at < positions; at++) {
      for (int64_t each = 0; each < size; each++) scores[at] += double(queries[row * stride + each]) * keys[at * stride + each];
      top = std::max(top, scores[at]);
    }
    for (auto &score : scores) sum += score = std::exp(score - top);
    for (int64_t each = 0; each < size; each++) {
      double read = 0;
      for (int64_t at = 0; at < positions; at++) read += scores[at] / sum * values[at * stride + each];
      worst = std::max(worst, std::fabs(read - results[row * (size + 1) + each]));
    }
    if (results[row * (size + 1) + size] != -12345) return INFINITY;
  }
  return worst;
}

bool checkAttention(const char *name, void (*attend)(const FullHeadAttention &)) {
  double worst = 0;
  for (int round = 0; round < 60; round++) {
    const double error = findAttentionError(attend, upTo(round % 4 ? 20 : 200), upTo(round % 3 ? 64 : 150));
    if (!(error <= worst)) worst = error;
  }
  printf("attention, %s: 60 heads, largest error %.1e\n", name, worst);
  return worst < 1e-2;
}

using MultiplyAll = void (*)(const IntegerRows &, const int8_t *, const IntegerColumns &, float *, int64_t);

/** Returns whether the products are those of the integers, to the last digit of a float, and nothing else is written. */
bool areProductsExact(MultiplyAll multiply, int64_t rows, int64_t width, int64_t columns) {
  std::uniform_int_distribution<int> bytes(0, 255), signedBytes(-127, 127);
  std::vector<uint8_t> integers(rows * width);
  std::vector<int8_t> matrix(columns * width);
  // The largest numbers, whose sums of two do not fit into 16 bits, are frequent.
  for (auto &each : integers) each = upTo(3) == 1 ? 255 : bytes(generator);
  for (auto &each : matrix) each = upTo(3) == 1 ? 127 : signedBytes(generator);
  std::vector<RowScale> rowScales(rows);
  for (auto &each : rowScales) each = {0.5f, static_cast<float>(bytes(generator))};
  std::vector<float> scales(columns, 0.25f), biases = normalNumbers(columns);
  std::vector<int32_t> sums(columns, 0);
  for (int64_t column = 0; column < columns; column++)
    for (int64_t at = 0; at < width; at++) sums[column] += matrix[column * width + at];
  std::vector<float> results(rows * (columns + 3), -12345);
  multiply({rows, width, integers.data(), rowScales.data()}, matrix.data(), {columns, scales.data(), sums.data(), biases.data()}, results.data(),
           columns + 3);
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      int64_t product = 0;
      for (int64_t at = 0; at < width; at++)
        product += (integers[row * width + at] - static_cast<int64_t>(rowScales[row].zero)) * matrix[column * width + at];
      const double expected = product * 0.125 + biases[column];
      if (std::fabs(results[row * (columns + 3) + column] - expected) > 1e-6 * (std::fabs(expected) + 1)) return false;
    }
    for (int64_t past = columns; past < columns + 3; past++)
      if (results[row * (columns + 3) + past] != -12345) return false;
  }
  return true;
}

bool checkProducts(const char *name, MultiplyAll multiply) {
  bool areExact = true;
  for (int round = 0; round < 200; round++) areExact = areProductsExact(multiply, upTo(9), upTo(round % 2 ? 40 : 300), upTo(columnsAtOnce)) && areExact;
  printf("products, %s: 200 are %s\n", name, areExact ? "exact" : "WRONG");
  return areExact;
}

using Normalize = RowScale (*)(const float *, int64_t, Norm, float *, uint8_t *);

bool checkNorms(const char *name, Normalize normalize) {
  double worst = 0;
  for (int round = 0; round < 200; round++) {
    const int64_t width = 1 + upTo(round % 2 ? 20 : 600);
    const auto row = normalNumbers(width, 3), weights = normalNumbers(width), biases = normalNumbers(width);
    std::vector<float> room(width);
    std::vector<uint8_t> integers(width);
    const auto scale = normalize(row.data(), width, {weights.data(), biases.data()}, room.data(), integers.data());
    double mean = 0, variance = 0;
    for (const auto number : row) mean += number / static_cast<double>(width);
    for (const auto number : row) variance += (number - mean) * (number - mean) / static_cast<double>(width);
    for (int64_t at = 0; at < width; at++) {
      const double expected = (row[at] - mean) / std::sqrt(variance + 1e-5) * weights[at] + biases[at];
      worst = std::max(worst, std::fabs((integers[at] - scale.zero) * scale.scale - expected) / scale.scale);
    }
  }
  printf("norms, %s: 200 rows, largest error %.2f integers\n", name, worst);
  return worst < 1.01;
}

template <typename Pairs> void attendPlain(const FullHeadAttention &head) { attendWith<Pairs>(head); }
template <typename Bytes, int rowsAtOnce>
void multiplyPlain(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride) {
  multiplyRowsWith<Bytes, rowsAtOnce>(rows, matrix, columns, results, stride);
}

} // namespace

int main() {
  bool ok = checkAttention("without VNNI", attendPlain<GenericPairs>);
  ok = checkProducts("without VNNI", multiplyPlain<GenericBytes, 2>) && ok;
  ok = checkNorms("without AVX-512", normalizeRowWith<Vectors<8>>) && ok;
#ifdef __AVX2__
  ok = checkAttention("AVX2", attendPlain<Avx2Pairs>) && ok;
#endif
#ifdef HAS_AVX_VNNI
  if (__builtin_cpu_supports("avxvnni")) ok = checkProducts("AVX-VNNI", multiplyRowsAvxVnni) && ok;
#endif
#ifdef __x86_64__
  if (hasAvx512()) ok = checkNorms("AVX-512", normalizeRowAvx512) && ok;
  if (hasAvx512Vnni()) {
    ok = checkAttention("AVX-512", attendAvx512) && ok;
    ok = checkProducts("AVX-512", multiplyRowsAvx512) && ok;
  }
#endif
#ifdef __aarch64__
  if (hasDotProduct()) ok = checkProducts("dot product", multiplyPlain<DotProductBytes, 5>) && ok;
#endif
  return ok ? 0 : 1;
}
