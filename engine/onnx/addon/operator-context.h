#pragma once
// What an operator of the domain `awaz` takes from a run of onnxruntime and gives back. Errors are returned as a status, which ends the run.
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "handles.h"
#include "operators.h"

namespace onnx {

constexpr auto floats = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;

/** A tensor that onnxruntime lends during a run. */
struct LentTensor {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<int64_t> dims;
  void *data = nullptr;
};

/** Returns a tensor without data where an optional input is left out. Throws where it is of another type than the given one. */
inline LentTensor input(const OrtKernelContext *context, size_t index, std::optional<ONNXTensorElementDataType> type = {}) {
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

/** Calls an operator's function and returns what it throws. */
template <void (*compute)(OrtKernelContext *)> OrtStatus *computeGuarded(void *, OrtKernelContext *context) {
  try {
    compute(context);
    return nullptr;
  } catch (const std::exception &error) {
    return api().CreateStatus(ORT_FAIL, error.what());
  }
}

inline OrtStatus *createNothing(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *, void **kernel) {
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

} // namespace onnx
