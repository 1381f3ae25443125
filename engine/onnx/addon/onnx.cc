// Node-API binding to onnxruntime, whose library is opened at run time: tensors (tensors.cc) and graphs (graphs.cc). The JavaScript side
// (onnx-runtime.ts) validates what it passes; the addon checks only what would crash the process.
#include "onnx.h"

#include <dlfcn.h>

#include <algorithm>

#include "handles.h"
#include "numbers.h"

namespace onnx {

namespace {

Napi::Float32Array floatsFrom(const Napi::CallbackInfo &info) {
  if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_float32_array)
    throw Napi::TypeError::New(info.Env(), "Expected a Float32Array");
  return info[0].As<Napi::Float32Array>();
}

/** logSumExp(numbers: Float32Array, start: number, end: number): number */
Napi::Value computeLogSumExp(const Napi::CallbackInfo &info) {
  const auto numbers = floatsFrom(info);
  const auto length = static_cast<int64_t>(numbers.ElementLength());
  const auto start = std::clamp<int64_t>(info[1].ToNumber().Int64Value(), 0, length), end = std::clamp<int64_t>(info[2].ToNumber().Int64Value(), start, length);
  return Napi::Number::New(info.Env(), logSumExp(numbers.Data() + start, end - start));
}

/** indicesOfLargest(numbers: Float32Array, most: number): number[] */
Napi::Value findIndicesOfLargest(const Napi::CallbackInfo &info) {
  const auto numbers = floatsFrom(info);
  return toArray(info.Env(), indicesOfLargest(numbers.Data(), static_cast<int64_t>(numbers.ElementLength()), info[1].ToNumber().Int64Value()));
}

const OrtApi *openedApi = nullptr;

/** Opens the library at a path, once per process: it keeps threads and is never closed. */
void open(const Napi::CallbackInfo &info) {
  const std::lock_guard<std::mutex> lock(callMutex);
  if (openedApi) return;
  const auto path = info[0].ToString().Utf8Value();
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Napi::Error::New(info.Env(), std::string("onnxruntime could not be loaded: ") + dlerror());
  const auto getBase = reinterpret_cast<const OrtApiBase *(*)()>(dlsym(library, "OrtGetApiBase"));
  if (!getBase) throw Napi::Error::New(info.Env(), "onnxruntime could not be loaded: " + path + " is another library");
  openedApi = getBase()->GetApi(ORT_API_VERSION);
  if (!openedApi)
    throw Napi::Error::New(info.Env(), std::string("onnxruntime ") + getBase()->GetVersionString() + " is too old for this program");
}

} // namespace

std::mutex callMutex;

const OrtApi &api() {
  if (!openedApi) throw std::runtime_error("onnxruntime was not loaded");
  return *openedApi;
}

void check(OrtStatus *status) {
  if (!status) return;
  const std::string message = api().GetErrorMessage(status);
  api().ReleaseStatus(status);
  throw std::runtime_error(message);
}

} // namespace onnx

void initializeOnnx(Napi::Env env, Napi::Object exports) {
  auto functions = Napi::Object::New(env);
  functions.Set("open", Napi::Function::New(env, onnx::open));
  functions.Set("logSumExp", Napi::Function::New(env, onnx::computeLogSumExp));
  functions.Set("indicesOfLargest", Napi::Function::New(env, onnx::findIndicesOfLargest));
  onnx::initializeTensors(env, functions);
  onnx::initializeGraphs(env, functions);
  exports.Set("onnx", functions);
}
