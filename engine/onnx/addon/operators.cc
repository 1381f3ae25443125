// Operators of the domain `awaz`. Errors are returned to onnxruntime as a status, which ends a run.
#include "operators.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "attention.h"
#include "handles.h"
#include "integers.h"

namespace onnx {

namespace {

constexpr auto floats = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;

/** A tensor that onnxruntime lends during a run. */
struct LentTensor {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<int64_t> dims;
  void *data = nullptr;
};

/** Returns a tensor without data where an optional input is left out. Throws where it is of another type than the given one. */
LentTensor input(const OrtKernelContext *context, size_t index, std::optional<ONNXTensorElementDataType> type = {}) {
  const OrtValue *value = nullptr;
  check(api().KernelContext_GetInput(context, index, &value));
  if (!value) return {};
  OrtTensorTypeAndShapeInfo *shape = nullptr;
  check(api().GetTensorTypeAndShape(value, &shape));
  const std::unique_ptr<OrtTensorTypeAndShapeInfo, void (*)(OrtTensorTypeAndShapeInfo *)> freed(shape, api().ReleaseTensorTypeAndShapeInfo);
  LentTensor tensor;
  check(api().GetTensorElementType(shape, &tensor.type));
  if (type && tensor.type != *type) throw std::runtime_error("Input " + std::to_string(index) + " is of the wrong type");
  size_t rank = 0;
  check(api().GetDimensionsCount(shape, &rank));
  tensor.dims.resize(rank);
  check(api().GetDimensions(shape, tensor.dims.data(), rank));
  check(api().GetTensorMutableData(const_cast<OrtValue *>(value), &tensor.data));
  return tensor;
}

/** Returns the numbers of an output with these dims: floats, unless the operator says otherwise. */
template <typename Number = float> Number *output(OrtKernelContext *context, size_t index, const std::vector<int64_t> &dims) {
  OrtValue *value = nullptr;
  check(api().KernelContext_GetOutput(context, index, dims.data(), dims.size(), &value));
  void *data = nullptr;
  check(api().GetTensorMutableData(value, &data));
  return static_cast<Number *>(data);
}

/** Calls `compute` with each number below `count`, on the session's threads. */
template <typename Compute> void forEach(const OrtKernelContext *context, int64_t count, Compute compute) {
  const auto run = [](void *data, size_t number) { (*static_cast<Compute *>(data))(static_cast<int64_t>(number)); };
  check(api().KernelContext_ParallelFor(context, run, static_cast<size_t>(count), 0, &compute));
}

struct CrossAttention {
  LentTensor queries;
  LentTensor keys;
  LentTensor values;

  void assertDims() const {
    const bool hasRanks = queries.dims.size() == 3 && keys.dims.size() == 4 && values.dims.size() == 4;
    if (!hasRanks || keys.dims[0] != 1 || values.dims != std::vector<int64_t>{1, keys.dims[1], keys.dims[3], keys.dims[2]} ||
        queries.dims[2] != keys.dims[1] * keys.dims[2] || keys.dims[2] < 1 || keys.dims[3] < 1)
      throw std::runtime_error("CrossAttention: the dims of queries, keys and values do not fit together");
  }

  template <typename Number> void compute(OrtKernelContext *context) const {
    const auto heads = keys.dims[1], size = keys.dims[2], positions = keys.dims[3];
    const auto rows = queries.dims[0] * queries.dims[1];
    float *const results = output(context, 0, queries.dims);
    float *const weights = output(context, 1, {1, heads, rows, positions});
    forEach(context, heads, [&](int64_t head) {
      attend(HeadAttention<Number>{
          .rows = rows,
          .positions = positions,
          .size = size,
          .queries = static_cast<const float *>(queries.data) + head * size,
          .keys = static_cast<const Number *>(keys.data) + head * size * positions,
          .keyStride = positions,
          .values = static_cast<const Number *>(values.data) + head * size * positions,
          .weights = weights + head * rows * positions,
          .results = results + head * size,
          .stride = heads * size,
      });
    });
  }
};

/**
 * `CrossAttention`: tokens of several texts attend to the same audio.
 *
 * Takes scaled queries, [texts, tokens, heads * size], and of the audio keys, [1, heads, size, positions], and values, [1, heads, positions, size],
 * both as floats or as bfloat16. Returns what the tokens read, in the queries' dims, and how much of each position:
 * [1, heads, texts * tokens, positions].
 */
void crossAttention(OrtKernelContext *context) {
  const CrossAttention attention{input(context, 0, floats), input(context, 1), input(context, 2)};
  attention.assertDims();
  if (attention.keys.type != attention.values.type) throw std::runtime_error("CrossAttention: keys and values are of different types");
  if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) attention.compute<float>(context);
  else if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16) attention.compute<Bfloat16>(context);
  else throw std::runtime_error("CrossAttention: keys and values are neither floats nor bfloat16");
}

/**
 * `SelfAttention`: new tokens of several texts attend to the tokens before them and to themselves.
 *
 * Takes queries (scaled), keys and values of the new tokens, joined: [texts, tokens, 3 * heads * size]; keys, [pasts, heads, size, length], and values,
 * [pasts, heads, length, size], of the tokens before; and for each text which of the pasts it continues, as int64. All but those are floats. Returns
 * what the tokens read, [texts, tokens, heads * size], and keys and values of all tokens of each text, the new ones included.
 */
void selfAttention(OrtKernelContext *context) {
  const auto joined = input(context, 0, floats), keys = input(context, 1, floats), values = input(context, 2, floats);
  const auto sources = input(context, 3, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
  const bool hasRanks = joined.dims.size() == 3 && keys.dims.size() == 4 && values.dims.size() == 4;
  if (!hasRanks || values.dims != std::vector<int64_t>{keys.dims[0], keys.dims[1], keys.dims[3], keys.dims[2]} ||
      joined.dims[2] != 3 * keys.dims[1] * keys.dims[2] || sources.dims != std::vector<int64_t>{joined.dims[0]})
    throw std::runtime_error("SelfAttention: the dims of tokens, pasts and sources do not fit together");
  const auto texts = joined.dims[0], tokens = joined.dims[1], heads = keys.dims[1], size = keys.dims[2], length = keys.dims[3];
  const auto width = heads * size, grown = length + tokens;
  const auto *source = static_cast<const int64_t *>(sources.data);
  for (int64_t text = 0; text < texts; text++)
    if (source[text] < 0 || source[text] >= keys.dims[0]) throw std::runtime_error("SelfAttention: a text continues one that does not exist");
  float *const results = output(context, 0, {texts, tokens, width});
  float *const allKeys = output(context, 1, {texts, heads, size, grown});
  float *const allValues = output(context, 2, {texts, heads, grown, size});
  forEach(context, texts * heads, [&](int64_t number) {
    const auto text = number / heads, head = number % heads;
    const auto past = source[text] * heads + head;
    const auto *pastKeys = static_cast<const float *>(keys.data) + past * size * length;
    const auto *pastValues = static_cast<const float *>(values.data) + past * length * size;
    const auto *queries = static_cast<const float *>(joined.data) + text * tokens * 3 * width + head * size;
    float *const ownKeys = allKeys + number * size * grown;
    float *const ownValues = allValues + number * grown * size;
    for (int64_t at = 0; at < size; at++) {
      std::copy_n(pastKeys + at * length, length, ownKeys + at * grown);
      for (int64_t token = 0; token < tokens; token++) ownKeys[at * grown + length + token] = queries[token * 3 * width + width + at];
    }
    std::copy_n(pastValues, length * size, ownValues);
    for (int64_t token = 0; token < tokens; token++)
      std::copy_n(queries + token * 3 * width + 2 * width, size, ownValues + (length + token) * size);
    std::vector<float> weights(static_cast<size_t>(grown));
    for (int64_t token = 0; token < tokens; token++)
      attend(HeadAttention<float>{
          .rows = 1,
          .positions = length + token + 1,
          .size = size,
          .queries = queries + token * 3 * width,
          .keys = ownKeys,
          .keyStride = grown,
          .values = ownValues,
          .weights = weights.data(),
          .results = results + (text * tokens + token) * width + head * size,
          .stride = width,
      });
  });
}

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

/**
 * `QuantizeRows`: floats, [..., width], as integers of 8 bits without sign. Returns these and for each row a scale and a zero, [..., 2], by which it is
 * (integer - zero) * scale.
 */
void quantizeRows(OrtKernelContext *context) {
  const auto floatRows = input(context, 0, floats);
  if (floatRows.dims.empty()) throw std::runtime_error("QuantizeRows: there are no rows");
  const auto width = floatRows.dims.back();
  auto scaleDims = floatRows.dims;
  scaleDims.back() = 2;
  const auto *const from = static_cast<const float *>(floatRows.data);
  auto *const integers = output<uint8_t>(context, 0, floatRows.dims);
  auto *const scales = output<RowScale>(context, 1, scaleDims);
  forEachRow(context, countRows(floatRows), [&](int64_t row) { scales[row] = quantizeRow(from + row * width, width, integers + row * width); });
}

/**
 * `ScaleProducts`: products of such rows, their zeros not subtracted, with a matrix of integers as floats. Takes the products as int32, [..., columns], the
 * scales and zeros of the rows, [..., 2], and of the columns the scales, the sums of their integers as int32, and a bias, which may be left out.
 */
void scaleRowProducts(OrtKernelContext *context) {
  constexpr auto integers = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;
  const auto products = input(context, 0, integers), rows = input(context, 1, floats);
  const auto scales = input(context, 2, floats), sums = input(context, 3, integers), biases = input(context, 4, floats);
  if (products.dims.empty() || rows.dims.empty()) throw std::runtime_error("ScaleProducts: there are no rows");
  const auto count = products.dims.back();
  const std::vector<int64_t> perColumn{count};
  if (rows.dims.back() != 2 || countRows(rows) != countRows(products) || scales.dims != perColumn || sums.dims != perColumn ||
      (biases.data && biases.dims != perColumn))
    throw std::runtime_error("ScaleProducts: the dims of products, rows and columns do not fit together");
  const IntegerColumns columns{count, static_cast<const float *>(scales.data), static_cast<const int32_t *>(sums.data),
                               static_cast<const float *>(biases.data)};
  const auto *const from = static_cast<const int32_t *>(products.data);
  const auto *const rowScales = static_cast<const RowScale *>(rows.data);
  float *const results = output(context, 0, products.dims);
  forEachRow(context, countRows(products), [&](int64_t row) { scaleProducts(from + row * count, rowScales[row], columns, results + row * count); });
}

/** Calls an operator's function and returns what it throws. */
template <void (*compute)(OrtKernelContext *)> OrtStatus *computeGuarded(void *, OrtKernelContext *context) {
  try {
    compute(context);
    return nullptr;
  } catch (const std::exception &error) {
    return api().CreateStatus(ORT_FAIL, error.what());
  }
}

OrtStatus *createNothing(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *, void **kernel) {
  *kernel = nullptr;
  return nullptr;
}

/** An operator whose inputs may be of any type, which it asserts, and whose outputs are floats, unless it says otherwise. */
template <void (*compute)(OrtKernelContext *), size_t inputs, size_t outputs> OrtCustomOp define(const char *(*getName)(const OrtCustomOp *)) {
  OrtCustomOp op{};
  op.version = customOpVersion;
  op.GetName = getName;
  op.GetExecutionProviderType = [](const OrtCustomOp *) -> const char * { return nullptr; };
  op.GetInputType = [](const OrtCustomOp *, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED; };
  op.GetInputTypeCount = [](const OrtCustomOp *) { return inputs; };
  op.GetOutputType = [](const OrtCustomOp *, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; };
  op.GetOutputTypeCount = [](const OrtCustomOp *) { return outputs; };
  op.KernelDestroy = [](void *) {};
  op.GetInputCharacteristic = [](const OrtCustomOp *, size_t) { return INPUT_OUTPUT_REQUIRED; };
  op.GetOutputCharacteristic = [](const OrtCustomOp *, size_t) { return INPUT_OUTPUT_REQUIRED; };
  op.GetInputMemoryType = [](const OrtCustomOp *, size_t) { return OrtMemTypeDefault; };
  op.CreateKernelV2 = createNothing;
  op.KernelComputeV2 = computeGuarded<compute>;
  return op;
}

const auto crossAttentionOp = define<crossAttention, 3, 2>([](const OrtCustomOp *) { return "CrossAttention"; });
const auto selfAttentionOp = define<selfAttention, 4, 3>([](const OrtCustomOp *) { return "SelfAttention"; });

const auto quantizeRowsOp = [] {
  auto op = define<quantizeRows, 1, 2>([](const OrtCustomOp *) { return "QuantizeRows"; });
  op.GetOutputType = [](const OrtCustomOp *, size_t index) { return index == 0 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 : floats; };
  return op;
}();

const auto scaleProductsOp = [] {
  auto op = define<scaleRowProducts, 5, 1>([](const OrtCustomOp *) { return "ScaleProducts"; });
  op.GetInputCharacteristic = [](const OrtCustomOp *, size_t index) { return index == 4 ? INPUT_OUTPUT_OPTIONAL : INPUT_OUTPUT_REQUIRED; };
  return op;
}();

} // namespace

OrtCustomOpDomain *operators() {
  static OrtCustomOpDomain *const domain = [] {
    OrtCustomOpDomain *created = nullptr;
    check(api().CreateCustomOpDomain("awaz", &created));
    check(api().CustomOpDomain_Add(created, &crossAttentionOp));
    check(api().CustomOpDomain_Add(created, &selfAttentionOp));
    check(api().CustomOpDomain_Add(created, &quantizeRowsOp));
    check(api().CustomOpDomain_Add(created, &scaleProductsOp));
    return created;
  }();
  return domain;
}

} // namespace onnx
