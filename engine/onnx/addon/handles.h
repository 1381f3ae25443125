#pragma once
// What JavaScript holds of onnxruntime: handles of tensors and graphs, which the garbage collector or a call frees.
#include <napi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "onnxruntime-api.h"

namespace onnx {

/** Returns the functions of the library. Throws before it is opened. */
const OrtApi &api();

/** Throws onnxruntime's message if the status is an error, and frees the status. */
void check(OrtStatus *status);

/** One load or run at a time, because the working memory of two would add up. */
extern std::mutex callMutex;

struct Tensor {
  /** Takes over the value. Throws if it is neither of floats, bfloat16 nor int64. */
  explicit Tensor(OrtValue *value);
  ~Tensor();
  Tensor(const Tensor &) = delete;

  /** Returns the numbers, which belong to the tensor. */
  uint8_t *data() const;

  static const char *releasedMessage() { return "The tensor was released"; }

  OrtValue *value;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::vector<int64_t> dims;
  size_t elementBytes = 0;
  size_t bytes = 0;
};

/** Allocates a tensor whose numbers are not set. */
std::shared_ptr<Tensor> allocateTensor(ONNXTensorElementDataType type, const std::vector<int64_t> &dims);

/** Returns a tensor as an object with `handle` and `dims`. */
Napi::Object toObject(Napi::Env env, std::shared_ptr<Tensor> tensor);

Napi::Array toArray(Napi::Env env, const std::vector<int64_t> &dims);

inline void adjustMemory(Napi::Env env, int64_t bytes) { Napi::MemoryManagement::AdjustExternalMemory(env, bytes); }

/** Hands over something with `bytes` to the garbage collector, which is told its size so that it runs in time. */
template <typename T> Napi::Value wrap(Napi::Env env, std::shared_ptr<T> held) {
  adjustMemory(env, static_cast<int64_t>(held->bytes));
  return Napi::External<std::shared_ptr<T>>::New(env, new std::shared_ptr<T>(std::move(held)), [](Napi::Env env, std::shared_ptr<T> *slot) {
    if (*slot) adjustMemory(env, -static_cast<int64_t>((*slot)->bytes));
    delete slot;
  });
}

/** Returns what a handle holds, shared: a release during a run takes effect after the run. Throws if it was released. */
template <typename T> std::shared_ptr<T> unwrap(const Napi::Value &handle) {
  if (!handle.IsExternal()) throw Napi::TypeError::New(handle.Env(), "Expected a handle");
  const auto held = *handle.As<Napi::External<std::shared_ptr<T>>>().Data();
  if (!held) throw Napi::Error::New(handle.Env(), T::releasedMessage());
  return held;
}

/** Frees what a handle holds; nothing if that was done. */
template <typename T> void release(const Napi::CallbackInfo &info) {
  if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "Expected a handle");
  auto &slot = *info[0].As<Napi::External<std::shared_ptr<T>>>().Data();
  if (!slot) return;
  adjustMemory(info.Env(), -static_cast<int64_t>(slot->bytes));
  slot.reset();
}

void initializeTensors(Napi::Env env, Napi::Object exports);
void initializeGraphs(Napi::Env env, Napi::Object exports);

} // namespace onnx
