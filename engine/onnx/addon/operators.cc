// Operators of the domain `awaz`. Errors are returned to onnxruntime as a status, which ends a run.
#include "operators.h"

#include "attention.h"
#include "handles.h"

namespace onnx {

namespace {

/** A tensor that onnxruntime lends during a run. */
struct LentTensor {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<int64_t> dims;
  void *data = nullptr;
};

LentTensor input(const OrtKernelContext *context, size_t index) {
  const OrtValue *value = nullptr;
  check(api().KernelContext_GetInput(context, index, &value));
  OrtTensorTypeAndShapeInfo *shape = nullptr;
  check(api().GetTensorTypeAndShape(value, &shape));
  const std::unique_ptr<OrtTensorTypeAndShapeInfo, void (*)(OrtTensorTypeAndShapeInfo *)> freed(shape, api().ReleaseTensorTypeAndShapeInfo);
  LentTensor tensor;
  check(api().GetTensorElementType(shape, &tensor.type));
  size_t rank = 0;
  check(api().GetDimensionsCount(shape, &rank));
  tensor.dims.resize(rank);
  check(api().GetDimensions(shape, tensor.dims.data(), rank));
  check(api().GetTensorMutableData(const_cast<OrtValue *>(value), &tensor.data));
  return tensor;
}

/** Returns the numbers of an output of floats with these dims. */
float *output(OrtKernelContext *context, size_t index, const std::vector<int64_t> &dims) {
  OrtValue *value = nullptr;
  check(api().KernelContext_GetOutput(context, index, dims.data(), dims.size(), &value));
  void *data = nullptr;
  check(api().GetTensorMutableData(value, &data));
  return static_cast<float *>(data);
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
OrtStatus *computeCrossAttention(void *, OrtKernelContext *context) {
  try {
    const CrossAttention attention{input(context, 0), input(context, 1), input(context, 2)};
    attention.assertDims();
    if (attention.keys.type != attention.values.type) throw std::runtime_error("CrossAttention: keys and values are of different types");
    if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) attention.compute<float>(context);
    else if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16) attention.compute<Bfloat16>(context);
    else throw std::runtime_error("CrossAttention: keys and values are neither floats nor bfloat16");
    return nullptr;
  } catch (const std::exception &error) {
    return api().CreateStatus(ORT_FAIL, error.what());
  }
}

OrtStatus *createNothing(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *, void **kernel) {
  *kernel = nullptr;
  return nullptr;
}

const OrtCustomOp crossAttentionOp{
    .version = customOpVersion,
    .CreateKernel = nullptr,
    .GetName = [](const OrtCustomOp *) { return "CrossAttention"; },
    .GetExecutionProviderType = [](const OrtCustomOp *) -> const char * { return nullptr; },
    .GetInputType = [](const OrtCustomOp *, size_t index) {
      // Undefined: any type.
      return index == 0 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT : ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    },
    .GetInputTypeCount = [](const OrtCustomOp *) -> size_t { return 3; },
    .GetOutputType = [](const OrtCustomOp *, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; },
    .GetOutputTypeCount = [](const OrtCustomOp *) -> size_t { return 2; },
    .computesWithoutStatus = nullptr,
    .KernelDestroy = [](void *) {},
    .GetInputCharacteristic = [](const OrtCustomOp *, size_t) { return INPUT_OUTPUT_REQUIRED; },
    .GetOutputCharacteristic = [](const OrtCustomOp *, size_t) { return INPUT_OUTPUT_REQUIRED; },
    .GetInputMemoryType = [](const OrtCustomOp *, size_t) { return OrtMemTypeDefault; },
    .variadic = {},
    .CreateKernelV2 = createNothing,
    .KernelComputeV2 = computeCrossAttention,
    .ofLaterVersions = {},
};

} // namespace

OrtCustomOpDomain *operators() {
  static OrtCustomOpDomain *const domain = [] {
    OrtCustomOpDomain *created = nullptr;
    check(api().CreateCustomOpDomain("awaz", &created));
    check(api().CustomOpDomain_Add(created, &crossAttentionOp));
    return created;
  }();
  return domain;
}

} // namespace onnx
