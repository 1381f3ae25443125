#pragma once
// Attention of all positions to each other: what an encoder computes for a whole window of audio.
#include <cstdint>

namespace onnx {

/** One head of an attention. A row of queries, keys and values each `stride` floats, of results each `resultStride`. */
struct FullHeadAttention {
  int64_t positions;
  int64_t size;
  /** Scaled. */
  const float *queries;
  const float *keys;
  const float *values;
  int64_t stride;
  /** What each position reads. */
  float *results;
  int64_t resultStride;
};

/** The largest number of positions, and of the dimensions of a head, that are attended to. */
constexpr int64_t maxPositions = 32768, maxHeadSize = 1024;

/**
 * Computes the results in integers of 16 bits: scores from queries and keys of 12 or 13 bits with a scale for each row, which is about what floats of
 * 32 bits have left after a sum of 64 products; results from shares of 15 bits, whose sum is 1, and values with a scale for each dimension.
 */
void attendFully(const FullHeadAttention &head);

} // namespace onnx
