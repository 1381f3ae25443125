// Operators on rows of integers of 8 bits.
#include <algorithm>

#include "integers.h"
#include "operator-context.h"

namespace onnx {

namespace {

constexpr auto int8 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, uint8 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, int32 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;

/** Rows that one task quantizes or scales. */
constexpr int64_t rowsAtOnce = 16;

int64_t countRows(const LentTensor &tensor) {
  return std::accumulate(tensor.dims.begin(), tensor.dims.end() - 1, int64_t{1}, std::multiplies<>());
}

/** Calls `compute` with the number of each row, several in a task. */
template <typename Compute> void forEachRow(const OrtKernelContext *context, int64_t rows, Compute compute) {
  forEach(context, (rows + rowsAtOnce - 1) / rowsAtOnce, [&](int64_t part) {
    for (int64_t row = part * rowsAtOnce; row < std::min(rows, (part + 1) * rowsAtOnce); row++) compute(row);
  });
}

/** The outputs of what quantizes rows: the integers, and for each row a scale and a zero, [..., 2], by which it is (integer - zero) * scale. */
struct QuantizedRows {
  uint8_t *integers;
  RowScale *scales;

  QuantizedRows(OrtKernelContext *context, std::vector<int64_t> dims) {
    integers = output<uint8_t>(context, 0, dims);
    dims.back() = 2;
    scales = output<RowScale>(context, 1, dims);
  }
};

/** `QuantizeRows`: floats, [..., width], as integers of 8 bits without sign, and their scales. */
void quantizeRows(OrtKernelContext *context) {
  const auto floatRows = input(context, 0, floats);
  if (floatRows.dims.empty()) throw std::runtime_error("QuantizeRows: there are no rows");
  const auto width = floatRows.dims.back();
  const auto *const from = static_cast<const float *>(floatRows.data);
  const QuantizedRows rows(context, floatRows.dims);
  forEachRow(context, countRows(floatRows), [&](int64_t row) { rows.scales[row] = quantizeRow(from + row * width, width, rows.integers + row * width); });
}

/**
 * `NormalizeAndQuantizeRows`: a layer normalization of floats, [..., width], with weights and biases, [width], whose results are needed as integers only.
 * Returns what `QuantizeRows` returns.
 */
void normalizeAndQuantizeRows(OrtKernelContext *context) {
  const auto floatRows = input(context, 0, floats), weights = input(context, 1, floats), biases = input(context, 2, floats);
  if (floatRows.dims.empty()) throw std::runtime_error("NormalizeAndQuantizeRows: there are no rows");
  const auto width = floatRows.dims.back();
  if (weights.dims != std::vector<int64_t>{width} || biases.dims != weights.dims)
    throw std::runtime_error("NormalizeAndQuantizeRows: the dims of rows, weights and biases do not fit together");
  const Norm norm{static_cast<const float *>(weights.data), static_cast<const float *>(biases.data)};
  const auto *const from = static_cast<const float *>(floatRows.data);
  const QuantizedRows rows(context, floatRows.dims);
  forEachRow(context, countRows(floatRows), [&](int64_t row) {
    static thread_local std::vector<float> normalized;
    normalized.resize(static_cast<size_t>(width));
    rows.scales[row] = normalizeAndQuantizeRow(from + row * width, width, norm, normalized.data(), rows.integers + row * width);
  });
}

/** Returns scales, sums and biases of columns from the inputs that begin at `first`. Throws where there are not `count` of each. */
IntegerColumns columnsFrom(const OrtKernelContext *context, size_t first, int64_t count, const char *operatorName) {
  const auto scales = input(context, first, floats), sums = input(context, first + 1, int32), biases = input(context, first + 2, floats);
  const std::vector<int64_t> perColumn{count};
  if (scales.dims != perColumn || sums.dims != perColumn || (biases.data && biases.dims != perColumn))
    throw std::runtime_error(std::string(operatorName) + ": the dims of products, rows and columns do not fit together");
  return {count, static_cast<const float *>(scales.data), static_cast<const int32_t *>(sums.data), static_cast<const float *>(biases.data)};
}

/**
 * `ScaleProducts`: products of such rows, their zeros not subtracted, with a matrix of integers as floats. Takes the products as int32, [..., columns], the
 * scales and zeros of the rows, [..., 2], and of the columns the scales, the sums of their integers as int32, and a bias, which may be left out.
 */
void scaleRowProducts(OrtKernelContext *context) {
  const auto products = input(context, 0, int32), rows = input(context, 1, floats);
  if (products.dims.empty() || rows.dims.empty()) throw std::runtime_error("ScaleProducts: there are no rows");
  const auto columns = columnsFrom(context, 2, products.dims.back(), "ScaleProducts");
  if (rows.dims.back() != 2 || countRows(rows) != countRows(products))
    throw std::runtime_error("ScaleProducts: the dims of products, rows and columns do not fit together");
  const auto *const from = static_cast<const int32_t *>(products.data);
  const auto *const rowScales = static_cast<const RowScale *>(rows.data);
  float *const results = output(context, 0, products.dims);
  const auto count = columns.count;
  forEachRow(context, countRows(products), [&](int64_t row) { scaleProducts(from + row * count, rowScales[row], columns, results + row * count); });
}

/**
 * `MultiplyRows`: products of few such rows with a matrix of integers as floats. Takes the rows, [..., width], their scales and zeros, [..., 2], the matrix
 * as int8, [columns, width], and of the columns what `ScaleProducts` takes. Returns [..., columns].
 */
void multiplyIntegerRows(OrtKernelContext *context) {
  const auto rows = input(context, 0, uint8), rowScales = input(context, 1, floats), matrix = input(context, 2, int8);
  if (rows.dims.empty() || rowScales.dims.empty() || matrix.dims.size() != 2) throw std::runtime_error("MultiplyRows: there are no rows or no matrix");
  const auto width = rows.dims.back(), count = matrix.dims[0];
  const auto columns = columnsFrom(context, 3, count, "MultiplyRows");
  if (matrix.dims[1] != width || rowScales.dims.back() != 2 || countRows(rowScales) != countRows(rows))
    throw std::runtime_error("MultiplyRows: the dims of products, rows and columns do not fit together");
  const IntegerRows integerRows{countRows(rows), width, static_cast<const uint8_t *>(rows.data), static_cast<const RowScale *>(rowScales.data)};
  auto dims = rows.dims;
  dims.back() = count;
  float *const results = output(context, 0, dims);
  forEach(context, (count + columnsAtOnce - 1) / columnsAtOnce, [&](int64_t part) {
    const auto first = part * columnsAtOnce;
    const IntegerColumns share{std::min(columnsAtOnce, count - first), columns.scales + first, columns.sums + first,
                               columns.biases ? columns.biases + first : nullptr};
    multiplyRows(integerRows, static_cast<const int8_t *>(matrix.data) + first * width, share, results + first, count);
  });
}

/** The last input, biases, may be left out. */
OrtCustomOp withOptionalBiases(OrtCustomOp op) {
  op.GetInputCharacteristic = [](const OrtCustomOp *op, size_t index) {
    return index + 1 == op->GetInputTypeCount(op) ? INPUT_OUTPUT_OPTIONAL : INPUT_OUTPUT_REQUIRED;
  };
  return op;
}

/** The first output are integers. */
OrtCustomOp withIntegers(OrtCustomOp op) {
  op.GetOutputType = [](const OrtCustomOp *, size_t index) { return index == 0 ? uint8 : floats; };
  return op;
}

} // namespace

const OrtCustomOp quantizeRowsOp = withIntegers(define<quantizeRows, 1, 2>([](const OrtCustomOp *) { return "QuantizeRows"; }));
const OrtCustomOp normalizeAndQuantizeRowsOp =
    withIntegers(define<normalizeAndQuantizeRows, 3, 2>([](const OrtCustomOp *) { return "NormalizeAndQuantizeRows"; }));
const OrtCustomOp scaleProductsOp = withOptionalBiases(define<scaleRowProducts, 5, 1>([](const OrtCustomOp *) { return "ScaleProducts"; }));
const OrtCustomOp multiplyRowsOp = withOptionalBiases(define<multiplyIntegerRows, 6, 1>([](const OrtCustomOp *) { return "MultiplyRows"; }));

} // namespace onnx
