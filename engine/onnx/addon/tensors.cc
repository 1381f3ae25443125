// Tensors: numbers that onnxruntime allocates, with dims. JavaScript passes typed arrays and gets copies.
#include <cmath>
#include <cstring>

#include "handles.h"

namespace onnx {

namespace {

/** Runs a function of JavaScript and turns errors of onnxruntime into exceptions of JavaScript. */
template <Napi::Value (*function)(const Napi::CallbackInfo &)> Napi::Value guarded(const Napi::CallbackInfo &info) {
  try {
    return function(info);
  } catch (const Napi::Error &) {
    throw;
  } catch (const std::exception &error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
}

/** Reads an array of whole numbers from 0 to 2^53. */
std::vector<int64_t> readIntegers(const Napi::Value &value, const char *what) {
  if (!value.IsArray()) throw Napi::TypeError::New(value.Env(), std::string("Expected an array of ") + what);
  const auto array = value.As<Napi::Array>();
  std::vector<int64_t> integers;
  integers.reserve(array.Length());
  for (uint32_t at = 0; at < array.Length(); at++) {
    const Napi::Value entry = array[at];
    const double number = entry.IsNumber() ? entry.As<Napi::Number>().DoubleValue() : -1;
    if (!(number >= 0 && number <= 9007199254740992.0 && number == std::floor(number)))
      throw Napi::RangeError::New(value.Env(), std::string("Invalid ") + what + ": each must be a whole number of 0 or more");
    integers.push_back(static_cast<int64_t>(number));
  }
  return integers;
}

/** Returns the product of dims. Throws if it is not below 2^48, so that sizes in bytes cannot overflow. */
size_t countElements(const std::vector<int64_t> &dims) {
  size_t count = 1;
  for (const auto dim : dims)
    if (__builtin_mul_overflow(count, static_cast<size_t>(dim), &count) || count >> 48 != 0)
      throw std::runtime_error("The dims are too large");
  return count;
}

size_t countBytes(ONNXTensorElementDataType type) {
  switch (type) {
  case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
    return sizeof(float);
  case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
    return sizeof(uint16_t);
  case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
    return sizeof(int64_t);
  default:
    throw std::runtime_error("The tensor holds neither floats of 32 or 16 bits nor 64-bit integers");
  }
}

std::string describe(const std::vector<int64_t> &dims) {
  std::string text;
  for (const auto dim : dims) text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return "[" + text + "]";
}

/** createTensor(data: Float32Array | BigInt64Array, dims: number[]) copies the data. */
Napi::Value createTensor(const Napi::CallbackInfo &info) {
  if (!info[0].IsTypedArray()) throw Napi::TypeError::New(info.Env(), "Expected a Float32Array or BigInt64Array");
  const auto array = info[0].As<Napi::TypedArray>();
  const auto isFloat = array.TypedArrayType() == napi_float32_array;
  if (!isFloat && array.TypedArrayType() != napi_bigint64_array)
    throw Napi::TypeError::New(info.Env(), "Expected a Float32Array or BigInt64Array");
  const auto dims = readIntegers(info[1], "dims");
  if (countElements(dims) != array.ElementLength())
    throw Napi::RangeError::New(info.Env(), std::to_string(array.ElementLength()) + " numbers do not fill dims " + describe(dims));
  const auto tensor = allocateTensor(isFloat ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT : ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, dims);
  const auto *source = static_cast<const uint8_t *>(array.ArrayBuffer().Data()) + array.ByteOffset();
  if (tensor->bytes > 0) std::memcpy(tensor->data(), source, tensor->bytes);
  return toObject(info.Env(), tensor);
}

/** read(handle, into?: Float32Array) copies the floats into a Float32Array of that length, a new one by default, and returns it. */
Napi::Value read(const Napi::CallbackInfo &info) {
  const auto tensor = unwrap<Tensor>(info[0]);
  if (tensor->type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) throw Napi::TypeError::New(info.Env(), "The tensor holds integers or bfloat16, not floats");
  const auto length = tensor->bytes / sizeof(float);
  if (!info[1].IsUndefined() && !(info[1].IsTypedArray() && info[1].As<Napi::TypedArray>().TypedArrayType() == napi_float32_array))
    throw Napi::TypeError::New(info.Env(), "Expected a Float32Array");
  auto array = info[1].IsUndefined() ? Napi::Float32Array::New(info.Env(), length) : info[1].As<Napi::Float32Array>();
  if (array.ElementLength() != length) throw Napi::RangeError::New(info.Env(), "The array is not as long as the tensor");
  if (tensor->bytes > 0) std::memcpy(array.Data(), tensor->data(), tensor->bytes);
  return array;
}

/** select(handle, axis, indices) copies these rows of the axis, in this order, into a new tensor. */
Napi::Value select(const Napi::CallbackInfo &info) {
  const auto tensor = unwrap<Tensor>(info[0]);
  const double axis = info[1].IsNumber() ? info[1].As<Napi::Number>().DoubleValue() : -1;
  if (!(axis >= 0 && axis < static_cast<double>(tensor->dims.size()) && axis == std::floor(axis)))
    throw Napi::RangeError::New(info.Env(), "A tensor of dims " + describe(tensor->dims) + " has no such axis");
  const auto indices = readIntegers(info[2], "indices");
  const auto rows = tensor->dims[static_cast<size_t>(axis)];
  for (const auto index : indices)
    if (index >= rows)
      throw Napi::RangeError::New(info.Env(), "Index " + std::to_string(index) + " is out of range: the axis has " + std::to_string(rows) + " rows");
  auto dims = tensor->dims;
  dims[static_cast<size_t>(axis)] = static_cast<int64_t>(indices.size());
  countElements(dims);
  size_t blocks = 1;
  size_t rowBytes = tensor->elementBytes;
  for (size_t at = 0; at < dims.size(); at++) {
    if (at < axis) blocks *= static_cast<size_t>(dims[at]);
    if (at > axis) rowBytes *= static_cast<size_t>(dims[at]);
  }
  const auto selected = allocateTensor(tensor->type, dims);
  if (selected->bytes == 0) return toObject(info.Env(), selected);
  const auto *source = tensor->data();
  auto *target = selected->data();
  for (size_t block = 0; block < blocks; block++, source += static_cast<size_t>(rows) * rowBytes)
    for (const auto index : indices) {
      std::memcpy(target, source + static_cast<size_t>(index) * rowBytes, rowBytes);
      target += rowBytes;
    }
  return toObject(info.Env(), selected);
}

} // namespace

Tensor::Tensor(OrtValue *value) : value(value) {
  OrtTensorTypeAndShapeInfo *shape = nullptr;
  try {
    check(api().GetTensorTypeAndShape(value, &shape));
    check(api().GetTensorElementType(shape, &type));
    size_t rank = 0;
    check(api().GetDimensionsCount(shape, &rank));
    dims.resize(rank);
    check(api().GetDimensions(shape, dims.data(), rank));
    elementBytes = countBytes(type);
    bytes = countElements(dims) * elementBytes;
  } catch (...) {
    api().ReleaseTensorTypeAndShapeInfo(shape);
    api().ReleaseValue(value);
    throw;
  }
  api().ReleaseTensorTypeAndShapeInfo(shape);
}

Tensor::~Tensor() { api().ReleaseValue(value); }

uint8_t *Tensor::data() const {
  void *data = nullptr;
  check(api().GetTensorMutableData(value, &data));
  return static_cast<uint8_t *>(data);
}

std::shared_ptr<Tensor> allocateTensor(ONNXTensorElementDataType type, const std::vector<int64_t> &dims) {
  OrtAllocator *allocator = nullptr;
  check(api().GetAllocatorWithDefaultOptions(&allocator));
  OrtValue *value = nullptr;
  check(api().CreateTensorAsOrtValue(allocator, dims.data(), dims.size(), type, &value));
  return std::make_shared<Tensor>(value);
}

Napi::Array toArray(Napi::Env env, const std::vector<int64_t> &dims) {
  auto array = Napi::Array::New(env, dims.size());
  for (size_t at = 0; at < dims.size(); at++) array[at] = Napi::Number::New(env, static_cast<double>(dims[at]));
  return array;
}

Napi::Object toObject(Napi::Env env, std::shared_ptr<Tensor> tensor) {
  auto object = Napi::Object::New(env);
  object.Set("dims", toArray(env, tensor->dims));
  object.Set("handle", wrap(env, std::move(tensor)));
  return object;
}

void initializeTensors(Napi::Env env, Napi::Object exports) {
  exports.Set("createTensor", Napi::Function::New(env, guarded<createTensor>));
  exports.Set("read", Napi::Function::New(env, guarded<read>));
  exports.Set("select", Napi::Function::New(env, guarded<select>));
  exports.Set("releaseTensor", Napi::Function::New(env, release<Tensor>));
}

} // namespace onnx
