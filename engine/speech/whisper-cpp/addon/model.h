#pragma once
// A loaded model of whisper.cpp, shared by the calls that use it.
#include <memory>
#include <mutex>

#include "whisper.h"

// Each addon source has its own copy, so that no name clashes with one of whisper.cpp.
namespace {

/** A loaded model. Calls are serialized; each gets its own whisper_state, so that no call (seed, text, abort) affects the next. */
struct Model {
  whisper_context *context = nullptr;
  std::mutex mutex;

  ~Model() {
    if (context) whisper_free(context);
  }
};

using ModelPointer = std::shared_ptr<Model>;
using StatePointer = std::unique_ptr<whisper_state, decltype(&whisper_free_state)>;

inline StatePointer newState(const Model &model) { return StatePointer(whisper_init_state(model.context), whisper_free_state); }

} // namespace
