// Pairs of integers of 16 bits are multiplied and added to a sum of 32 bits in one instruction (VNNI), at twice the speed of floats. A tile of
// sums stays in registers; keys and values are packed once for all queries of a head.
#include "full-attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vectors.h"

namespace onnx {

namespace {

/** Rows of a tile: queries that attend at a time. */
constexpr int tileRows = 6;

/** How a tile is multiplied: `columns` of them at a time, in vectors of `V`. */
template <typename Vector, int tileVectors> struct Tile {
  using V = Vector;
  static constexpr int vectors = tileVectors;
  static constexpr int columns = tileVectors * V::width;
};

/** Multiplies each pair of integers and adds both products to a sum. */
struct GenericPairs : Tile<Vectors<8>, 2> {
  INLINE V::Integers multiplyAdd(V::Integers sum, int32_t left, V::Integers right) {
    return sum + static_cast<int16_t>(left) * ((right << 16) >> 16) + (left >> 16) * (right >> 16);
  }
};

#ifdef __x86_64__
struct Avx2Pairs : Tile<Vectors<8>, 2> {
  INLINE V::Integers multiplyAdd(V::Integers sum, int32_t left, V::Integers right) {
    typedef int16_t Pairs __attribute__((vector_size(32)));
    return sum + (V::Integers)__builtin_ia32_pmaddwd256((Pairs)(V::Integers{} + left), (Pairs)right);
  }
};

struct Avx512Pairs : Tile<Vectors<16>, 4> {
  INLINE V::Integers multiplyAdd(V::Integers sum, int32_t left, V::Integers right) {
    return (V::Integers)__builtin_ia32_vpdpwssd_v16si(sum, V::Integers{} + left, right);
  }
};
#endif

/**
 * Multiplies `tileRows` rows of pairs, `stride` integers apart, with packed columns, [pairs][columns], into [rows][columns].
 */
template <typename Pairs> INLINE void multiplyTile(const int16_t *rows, int64_t stride, const int32_t *packed, int64_t pairs, int32_t *tile) {
  typedef typename Pairs::V::Integers Integers;
  Integers sums[tileRows][Pairs::vectors] = {};
  for (int64_t at = 0; at < pairs; at++) {
    Integers right[Pairs::vectors];
#pragma GCC unroll 4
    for (int each = 0; each < Pairs::vectors; each++) std::memcpy(&right[each], packed + at * Pairs::columns + each * Pairs::V::width, sizeof(Integers));
#pragma GCC unroll 6
    for (int row = 0; row < tileRows; row++) {
      int32_t left;
      std::memcpy(&left, rows + row * stride + at * 2, sizeof(left));
#pragma GCC unroll 4
      for (int each = 0; each < Pairs::vectors; each++) sums[row][each] = Pairs::multiplyAdd(sums[row][each], left, right[each]);
    }
  }
  std::memcpy(tile, sums, sizeof(sums));
}

int64_t divideUp(int64_t count, int64_t unit) { return (count + unit - 1) / unit; }

/** The packed keys and values of a head, and what belongs to the queries that attend at a time. Kept by each thread. */
struct Workspace {
  /** [blocks of positions][pairs of dimensions][positions] */
  std::vector<int32_t> keys;
  std::vector<float> keyScales;
  /** [blocks of dimensions][pairs of positions][dimensions] */
  std::vector<int32_t> values;
  std::vector<float> valueScales;
  /** [tileRows][...] */
  std::vector<int16_t> queries, shares;
  std::vector<float> scores;
};

/** Returns the factor by which numbers up to `largest` become integers up to `limit`. */
float integerFactor(float largest, float limit) { return largest > 0 ? limit / largest : 0; }

float inverse(float factor) { return factor > 0 ? 1 / factor : 0; }

template <typename V> INLINE float largestSize(const float *numbers, int64_t count) {
  typename V::Floats sizes{};
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) {
    const auto loaded = load<V>(numbers + at);
    sizes = larger<V>(sizes, larger<V>(loaded, -loaded));
  }
  float largest = largestOf<V>(sizes);
  for (; at < count; at++) largest = std::max(largest, std::fabs(numbers[at]));
  return largest;
}

/** Rows lie so far apart that the processor does not fetch the next one by itself. */
INLINE void prefetch(const float *row, int64_t size) {
  for (int64_t at = 0; at < size; at += 16) __builtin_prefetch(row + at);
}

constexpr int rowsAhead = 4;

/** Writes numbers times a factor, rounded. */
template <typename V> INLINE void toShorts(const float *numbers, int64_t count, float factor, int16_t *shorts) {
  int64_t at = 0;
  for (; at + V::width <= count; at += V::width) {
    const auto whole = __builtin_convertvector(roundToWhole<V>(load<V>(numbers + at) * factor), typename V::Integers);
    const auto narrowed = __builtin_convertvector(whole, typename V::Shorts);
    std::memcpy(shorts + at, &narrowed, sizeof(narrowed));
  }
  for (; at < count; at++) shorts[at] = static_cast<int16_t>(std::nearbyint(numbers[at] * factor));
}

int32_t joinPair(int16_t low, int16_t high) { return static_cast<int32_t>(static_cast<uint16_t>(low) | static_cast<uint32_t>(static_cast<uint16_t>(high)) << 16); }

/** The largest integer of queries and keys: so large that a sum of the products of `size` of them has 31 bits. */
float scoreLimit(int64_t size) { return std::floor(std::sqrt(2147483647.0 / static_cast<double>(size))); }

constexpr float largestShort = 32767;
/** Scores are powers of 2. */
constexpr float log2OfE = 1.44269504f;

template <typename Pairs> INLINE void packKeys(const FullHeadAttention &head, Workspace &work) {
  const auto pairs = divideUp(head.size, 2), blocks = divideUp(head.positions, Pairs::columns);
  work.keys.assign(blocks * pairs * Pairs::columns, 0);
  work.keyScales.assign(blocks * Pairs::columns, 0);
  const float limit = std::min(scoreLimit(head.size), largestShort);
  std::vector<int16_t> shorts(pairs * 2);
  for (int64_t position = 0; position < head.positions; position++) {
    const float *key = head.keys + position * head.stride;
    prefetch(key + rowsAhead * head.stride, head.size);
    const float factor = integerFactor(largestSize<typename Pairs::V>(key, head.size), limit);
    work.keyScales[position] = inverse(factor);
    toShorts<typename Pairs::V>(key, head.size, factor, shorts.data());
    int32_t *packed = work.keys.data() + position / Pairs::columns * pairs * Pairs::columns + position % Pairs::columns;
    for (int64_t pair = 0; pair < pairs; pair++) packed[pair * Pairs::columns] = joinPair(shorts[pair * 2], shorts[pair * 2 + 1]);
  }
}

template <typename Pairs> INLINE void packValues(const FullHeadAttention &head, Workspace &work) {
  const auto pairs = divideUp(head.positions, 2), blocks = divideUp(head.size, Pairs::columns);
  const auto width = blocks * Pairs::columns;
  std::vector<float> factors(width, 0);
  for (int64_t position = 0; position < head.positions; position++) {
    const float *value = head.values + position * head.stride;
    prefetch(value + rowsAhead * head.stride, head.size);
    for (int64_t at = 0; at < head.size; at++) factors[at] = factors[at] < std::fabs(value[at]) ? std::fabs(value[at]) : factors[at];
  }
  work.valueScales.resize(width);
  for (int64_t at = 0; at < width; at++) {
    factors[at] = integerFactor(factors[at], largestShort);
    work.valueScales[at] = inverse(factors[at]) / largestShort;
  }
  work.values.assign(pairs * width, 0);
  for (int64_t pair = 0; pair < pairs; pair++) {
    const float *first = head.values + pair * 2 * head.stride;
    const float *second = pair * 2 + 1 < head.positions ? first + head.stride : nullptr;
    for (int64_t block = 0; block < blocks; block++) {
      int32_t *packed = work.values.data() + (block * pairs + pair) * Pairs::columns;
      const int64_t from = block * Pairs::columns, count = std::min<int64_t>(Pairs::columns, head.size - from);
      for (int64_t at = 0; at < count; at++) {
        const auto low = static_cast<int32_t>((first[from + at] * factors[from + at] + roundingShift) - roundingShift);
        const auto high = second ? static_cast<int32_t>((second[from + at] * factors[from + at] + roundingShift) - roundingShift) : 0;
        packed[at] = (low & 0xffff) | (high << 16);
      }
    }
  }
}

/** Writes the scores of `tileRows` queries, and what they read, into `scores` and `shares`. Those of positions that do not exist are 0. */
template <typename Pairs> INLINE void computeShares(int64_t positions, int64_t size, const float *queryScales, Workspace &work) {
  using V = typename Pairs::V;
  typedef typename V::Floats Floats;
  typedef typename V::Integers Integers;
  const auto pairs = divideUp(size, 2), blocks = divideUp(positions, Pairs::columns), width = blocks * Pairs::columns;
  Floats highest[tileRows];
  for (auto &each : highest) each = Floats{} - INFINITY;
  alignas(64) int32_t tile[tileRows * Pairs::columns];
  for (int64_t block = 0; block < blocks; block++) {
    multiplyTile<Pairs>(work.queries.data(), pairs * 2, work.keys.data() + block * pairs * Pairs::columns, pairs, tile);
    const int64_t from = block * Pairs::columns;
    for (int row = 0; row < tileRows; row++)
      for (int at = 0; at < Pairs::columns; at += V::width) {
        Integers sums;
        std::memcpy(&sums, tile + row * Pairs::columns + at, sizeof(sums));
        const Floats scores = __builtin_convertvector(sums, Floats) * (load<V>(work.keyScales.data() + from + at) * queryScales[row]);
        store<V>(work.scores.data() + row * width + from + at, scores);
        highest[row] = larger<V>(highest[row], scores);
      }
  }
  for (int row = 0; row < tileRows; row++) {
    float *scores = work.scores.data() + row * width;
    // Scores of positions that do not exist are 0, which may be the highest: then the shares are smaller than they could be, but their ratio is the same.
    const float top = largestOf<V>(highest[row]);
    std::fill(scores + positions, scores + width, -INFINITY);
    // Several sums, because an addition has to wait for the one before.
    Floats sums[Pairs::vectors] = {};
    for (int64_t from = 0; from < width; from += Pairs::columns)
#pragma GCC unroll 4
      for (int each = 0; each < Pairs::vectors; each++) {
        float *const at = scores + from + each * V::width;
        const Floats powers = powerOfTwo<V>(load<V>(at) - top);
        store<V>(at, powers);
        sums[each] += powers;
      }
    for (int each = 1; each < Pairs::vectors; each++) sums[0] += sums[each];
    toShorts<V>(scores, width, largestShort / sumOf<V>(sums[0]), work.shares.data() + row * width);
  }
}

template <typename Pairs> INLINE void attendWith(const FullHeadAttention &head) {
  using V = typename Pairs::V;
  static thread_local Workspace work;
  const auto pairs = divideUp(head.size, 2), width = divideUp(head.positions, Pairs::columns) * Pairs::columns;
  packKeys<Pairs>(head, work);
  packValues<Pairs>(head, work);
  work.queries.assign(tileRows * pairs * 2, 0);
  work.shares.resize(tileRows * width);
  work.scores.resize(tileRows * width);
  const float limit = std::min(scoreLimit(head.size), largestShort);
  alignas(64) int32_t tile[tileRows * Pairs::columns];
  for (int64_t first = 0; first < head.positions; first += tileRows) {
    const auto rows = std::min<int64_t>(tileRows, head.positions - first);
    float queryScales[tileRows] = {};
    for (int64_t row = 0; row < rows; row++) {
      const float *query = head.queries + (first + row) * head.stride;
      prefetch(query + tileRows * head.stride, head.size);
      const float factor = integerFactor(largestSize<V>(query, head.size), limit);
      queryScales[row] = inverse(factor) * log2OfE;
      toShorts<V>(query, head.size, factor, work.queries.data() + row * pairs * 2);
    }
    computeShares<Pairs>(head.positions, head.size, queryScales, work);
    const auto positionPairs = divideUp(head.positions, 2);
    for (int64_t from = 0; from < head.size; from += Pairs::columns) {
      multiplyTile<Pairs>(work.shares.data(), width, work.values.data() + from * positionPairs, positionPairs, tile);
      const auto count = std::min<int64_t>(Pairs::columns, head.size - from);
      for (int64_t row = 0; row < rows; row++)
        for (int64_t at = 0; at < count; at++)
          head.results[(first + row) * head.resultStride + from + at] = static_cast<float>(tile[row * Pairs::columns + at]) * work.valueScales[from + at];
    }
  }
}

#ifdef __x86_64__
FOR_AVX512_VNNI void attendAvx512(const FullHeadAttention &head) { attendWith<Avx512Pairs>(head); }
#endif

} // namespace

void attendFully(const FullHeadAttention &head) {
#ifdef __x86_64__
  if (hasAvx512Vnni()) return attendAvx512(head);
#ifdef __AVX2__
  return attendWith<Avx2Pairs>(head);
#endif
#endif
  attendWith<GenericPairs>(head);
}

} // namespace onnx
