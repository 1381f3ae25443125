#pragma once
// Attention of a few tokens to many positions: what a decoder computes for each token of its texts.
#include "vectors.h"

namespace onnx {

/** One head of an attention. Rows are tokens that attend, positions are what they attend to. Keys and values are floats or Bfloat16. */
template <typename Number> struct HeadAttention {
  int64_t rows;
  int64_t positions;
  int64_t size;
  /** A row each `stride` floats, scaled. */
  const float *queries;
  /** [size, positions], a dimension each `keyStride` numbers. */
  const Number *keys;
  int64_t keyStride;
  /** [positions, size] */
  const Number *values;
  /** [rows, positions]: how much of each position a row reads; the sum of a row is 1. */
  float *weights;
  /** What each row reads, a row each `stride` floats. */
  float *results;
  int64_t stride;
};

/** Computes `weights` and `results`. */
template <typename Number> void attend(const HeadAttention<Number> &head);

} // namespace onnx
