#pragma once
// A call on a thread of libuv's pool that JavaScript can abort.
#include <napi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model.h"

// Each addon source has its own copy, so that no name clashes with one of whisper.cpp.
namespace {

using AbortFlag = std::shared_ptr<std::atomic<bool>>;

inline double readNumber(const Napi::Object &options, const char *name) { return options.Get(name).ToNumber().DoubleValue(); }

inline bool readFlag(const Napi::Object &options, const char *name) { return options.Get(name).ToBoolean().Value(); }

inline std::string readText(const Napi::Object &options, const char *name) {
  const auto value = options.Get(name);
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
}

/** Base of both kinds of call: the model, a copy of the samples, the abort flag and the promise. */
class CallWorker : public Napi::AsyncWorker {
public:
  CallWorker(Napi::Env env, ModelPointer model, const Napi::Float32Array &samples, const Napi::Object &options)
      : AsyncWorker(env), model_(std::move(model)), threads_(std::max(1, static_cast<int>(readNumber(options, "threads")))),
        deferred_(Napi::Promise::Deferred::New(env)) {
    samples_.assign(samples.Data(), samples.Data() + samples.ElementLength());
    for (float &sample : samples_)
      if (!std::isfinite(sample)) sample = 0;
  }

  /** Returns the call as a JavaScript object with `promise` and `abort()`. */
  Napi::Object handle() {
    auto handle = Napi::Object::New(Env());
    handle.Set("promise", deferred_.Promise());
    handle.Set("abort", Napi::Function::New(Env(), [stop = stop_](const Napi::CallbackInfo &) { stop->store(true); }));
    return handle;
  }

  void Execute() override {
    std::lock_guard<std::mutex> lock(model_->mutex);
    if (!*stop_) run();
    if (!failure_.empty()) SetError(failure_);
    else if (*stop_) SetError("aborted");
  }

  void OnError(const Napi::Error &error) override { deferred_.Reject(error.Value()); }

protected:
  virtual void run() = 0;

  void fail(std::string reason) { failure_ = std::move(reason); }

  std::string failure_;
  ModelPointer model_;
  std::vector<float> samples_;
  int threads_;
  AbortFlag stop_ = std::make_shared<std::atomic<bool>>(false);
  Napi::Promise::Deferred deferred_;
};

} // namespace
