#pragma once
// Rows of floats as integers of 8 bits, each with its own scale, and the products of such rows with a matrix of integers as floats.
#include <cstdint>

namespace onnx {

/** How the integers of a row are floats again: (integer - zero) * scale. */
struct RowScale {
  float scale;
  /** A whole number. */
  float zero;
};

/** Writes a row as integers. 0 stays 0. */
RowScale quantizeRow(const float *row, int64_t width, uint8_t *integers);

/** A matrix of integers of 8 bits, by columns. */
struct IntegerColumns {
  int64_t count;
  /** What the integers of a column are multiplied by. */
  const float *scales;
  /** The sums of the integers of a column. */
  const int32_t *sums;
  /** What is added to each column; nothing where it is null. */
  const float *biases;
};

/** Writes the products of a row of integers with each column as floats. */
void scaleProducts(const int32_t *products, RowScale row, const IntegerColumns &columns, float *results);

} // namespace onnx
