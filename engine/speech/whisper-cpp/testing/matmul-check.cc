// Compares every kernel that this CPU supports with a naive product, for shapes with all remainders, types and thread counts.
#include "matmul.cc"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

std::mt19937 generator(1);

struct Sample {
  std::vector<char> bytes;
  std::vector<float> values;
  Matrix matrix;
};

int64_t valuesPerUnit(int type) { return type == WSP_GGML_TYPE_Q8_0 ? blockSize : 1; }

/** Returns random rows of `depth` units, with a gap after each, as in rows of a view. */
Sample makeSample(int type, int64_t rows, int64_t depth) {
  const int64_t stride = (depth + 3) * unitBytes(type);
  Sample result = {std::vector<char>(rows * stride, 0x7f), {}, {}};
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> bytes(-127, 127);
  for (int64_t row = 0; row < rows; row++) {
    char *out = result.bytes.data() + row * stride;
    for (int64_t at = 0; at < depth; at++, out += unitBytes(type)) {
      const float value = normal(generator);
      const uint16_t half = _cvtss_sh(value, 0);
      if (type == WSP_GGML_TYPE_F32) std::memcpy(out, &value, 4), result.values.push_back(value);
      if (type == WSP_GGML_TYPE_F16) std::memcpy(out, &half, 2), result.values.push_back(_cvtsh_ss(half));
      if (type != WSP_GGML_TYPE_Q8_0) continue;
      Block block = {half, {}};
      for (auto &quant : block.values) {
        quant = bytes(generator);
        if (at % 3 == 0) quant = quant < 0 ? -128 : 127;
        result.values.push_back(quant * _cvtsh_ss(half));
      }
      std::memcpy(out, &block, sizeof block);
    }
  }
  result.matrix = {result.bytes.data(), stride, rows, type};
  return result;
}

/** Returns the largest error, relative to the size of the summands. */
double findError(Multiply multiply, int aType, int bType, int64_t m, int64_t n, int64_t depth, int threads) {
  const Sample a = makeSample(aType, m, depth), b = makeSample(bType, n, depth * valuesPerUnit(aType) / valuesPerUnit(bType));
  const int64_t stride = m + 5;
  const float untouched = -12345;
  std::vector<float> c(n * stride, untouched);
  for (int thread = 0; thread < threads; thread++) multiply({a.matrix, b.matrix, depth, c.data(), stride}, thread, threads);
  const int64_t k = depth * valuesPerUnit(aType);
  double worst = 0;
  for (int64_t j = 0; j < n; j++) {
    for (int64_t i = 0; i < stride; i++) {
      double sum = 0, size = 1e-9;
      for (int64_t at = 0; i < m && at < k; at++) {
        const double term = double(a.values[i * k + at]) * b.values[j * k + at];
        sum += term, size += std::fabs(term);
      }
      if (i >= m && c[j * stride + i] != untouched) return INFINITY;
      const double error = i < m ? std::fabs(c[j * stride + i] - sum) / size : 0;
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

bool check(const char *name, Multiply multiply, bool blocks) {
  double worst = 0;
  int count = 0;
  const auto next = [](int64_t max) { return std::uniform_int_distribution<int64_t>(1, max)(generator); };
  for (int round = 0; round < 400; round++) {
    const int type = round % 2 ? WSP_GGML_TYPE_F16 : WSP_GGML_TYPE_F32, other = round % 4 < 2 ? WSP_GGML_TYPE_F32 : WSP_GGML_TYPE_F16;
    const int64_t m = round % 5 ? next(80) : next(700), n = round % 5 ? next(30) : next(9), depth = round % 3 ? next(20) : next(600);
    const double error = blocks ? findError(multiply, WSP_GGML_TYPE_Q8_0, WSP_GGML_TYPE_Q8_0, m, n, (depth + 14) / 15, next(4))
                                : findError(multiply, type, other, m, n, depth, next(4));
    if (!(error <= worst)) worst = error;
    count++;
  }
  printf("%s: %d products, largest relative error %.1e\n", name, count, worst);
  return worst < 2e-6;
}

bool checkVectors(const char *name, Multiply multiply, int type) {
  double worst = 0;
  for (int round = 0; round < 200; round++) {
    const int64_t blocks = 1 + round % 7, depth = blocks * blockSize, rows = 1 + round * 3 % 101, columns = 1 + round % maxVectors;
    const double error = findError(multiply, type, WSP_GGML_TYPE_F32, rows, columns, depth / valuesPerUnit(type), 1 + round % 4);
    if (!(error <= worst)) worst = error;
  }
  printf("%s: 200 products, largest relative error %.1e\n", name, worst);
  return worst < 2e-6;
}

} // namespace

int main() {
  bool ok = check("floats, AVX2", multiplyShare<FloatsAvx2>, false) && check("blocks, AVX2", multiplyShare<BlocksAvx2>, true);
  ok = checkVectors("F16 and vectors", multiplyFew<uint16_t>, WSP_GGML_TYPE_F16) && ok;
  ok = checkVectors("Q8_0 and vectors", multiplyFew<Block>, WSP_GGML_TYPE_Q8_0) && ok;
#ifdef HAS_AVXVNNI
  if (__builtin_cpu_supports("avxvnni")) ok = check("blocks, AVX-VNNI", multiplyShare<BlocksVnni>, true) && ok;
#endif
  if (chooseKernels().floats == multiplyShare<FloatsAvx512>) {
    ok = check("floats, AVX-512", multiplyShare<FloatsAvx512>, false) && ok;
    ok = check("blocks, AVX-512", multiplyShare<BlocksAvx512>, true) && ok;
  }
  return ok ? 0 : 1;
}
