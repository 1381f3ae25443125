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

/** What a layer normalization multiplies by and adds. */
struct Norm {
  const float *weights;
  const float *biases;
};

/**
 * Writes a row as integers whose mean was 0 and whose variance 1, times `norm.weights`, plus `norm.biases`. `normalized` is room for a row.
 */
RowScale normalizeAndQuantizeRow(const float *row, int64_t width, Norm norm, float *normalized, uint8_t *integers);

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

/** Columns that are multiplied at a time by `multiplyRows`. */
constexpr int64_t columnsAtOnce = 64;

/** Rows of integers, one after another. */
struct IntegerRows {
  int64_t count;
  int64_t width;
  const uint8_t *integers;
  const RowScale *scales;
};

/**
 * Writes the products of rows with up to `columnsAtOnce` columns as floats, a row each `stride` floats. `matrix` has the integers of one column after
 * another: few rows wait for the matrix to be read, which is read once, in its order.
 */
void multiplyRows(const IntegerRows &rows, const int8_t *matrix, const IntegerColumns &columns, float *results, int64_t stride);

} // namespace onnx
