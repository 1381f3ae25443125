// Node-API addon over whisper.cpp: loads a model, transcribes a window, detects languages. Every call runs on a thread of libuv's pool
// and can be aborted; whisper.cpp checks for an abort between two graph computations, within a fraction of a second.
// The JavaScript side (whisper-child.ts) validates its arguments; the addon checks only what would crash the process.
#include <napi.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "call-worker.h"
#include "model.h"
#include "onnx.h"
#include "whisper.h"

namespace {

struct Token {
  float probability;
  float logProbability;
  int64_t startMs;
  int64_t endMs;
  std::string bytes;
};

struct Segment {
  int64_t startMs;
  int64_t endMs;
  float noSpeechProbability;
  std::vector<Token> tokens;
};

class LoadWorker : public Napi::AsyncWorker {
public:
  LoadWorker(Napi::Env env, std::string path, const Napi::Object &options)
      : AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), path_(std::move(path)),
        parameters_(whisper_context_default_params()) {
    parameters_.use_gpu = false;
    parameters_.flash_attn = readFlag(options, "flashAttention");
  }

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    model_->context = whisper_init_from_file_with_params_no_state(path_.c_str(), parameters_);
    if (!model_->context) return SetError("whisper.cpp could not load the model");
    if (!newState(*model_)) SetError("whisper.cpp could not allocate its working memory");
  }

  void OnOK() override {
    auto *model = new ModelPointer(model_);
    deferred_.Resolve(Napi::External<ModelPointer>::New(Env(), model, [](Napi::Env, ModelPointer *released) { delete released; }));
  }

  void OnError(const Napi::Error &error) override { deferred_.Reject(error.Value()); }

private:
  Napi::Promise::Deferred deferred_;
  std::string path_;
  whisper_context_params parameters_;
  ModelPointer model_ = std::make_shared<Model>();
};

class TranscribeWorker : public CallWorker {
public:
  TranscribeWorker(Napi::Env env, ModelPointer model, const Napi::Float32Array &samples, const Napi::Object &options)
      : CallWorker(env, std::move(model), samples, options), language_(readText(options, "language")), prompt_(readText(options, "prompt")) {
    const int beams = static_cast<int>(readNumber(options, "beamSize"));
    parameters_ = whisper_full_default_params(beams > 1 ? WHISPER_SAMPLING_BEAM_SEARCH : WHISPER_SAMPLING_GREEDY);
    parameters_.beam_search.beam_size = beams;
    parameters_.greedy.best_of = static_cast<int>(readNumber(options, "bestOf"));
    parameters_.n_threads = threads_;
    parameters_.temperature = readNumber(options, "temperature");
    parameters_.temperature_inc = readNumber(options, "temperatureStep");
    parameters_.entropy_thold = readNumber(options, "entropyThreshold");
    parameters_.logprob_thold = readNumber(options, "logProbabilityThreshold");
    parameters_.no_speech_thold = readNumber(options, "noSpeechThreshold");
    parameters_.audio_ctx = static_cast<int>(readNumber(options, "audioContext"));
    parameters_.max_initial_ts = readNumber(options, "maxInitialSeconds");
    parameters_.suppress_nst = true;
    parameters_.token_timestamps = true;
    // No text of earlier windows as context, so that a repetition loop cannot continue.
    parameters_.no_context = true;
    parameters_.print_progress = false;
    parameters_.print_timestamps = false;
  }

  void OnOK() override {
    auto segments = Napi::Array::New(Env(), segments_.size());
    for (size_t at = 0; at < segments_.size(); at++) segments[at] = toObject(segments_[at]);
    auto window = Napi::Object::New(Env());
    window.Set("segments", segments);
    window.Set("isComplete", encoderRuns_ <= 1);
    deferred_.Resolve(window);
  }

protected:
  void run() override {
    const auto state = newState(*model_);
    if (!state) return fail("whisper.cpp could not allocate its working memory");
    // Set here, not in the constructor: whisper.cpp keeps the pointers.
    parameters_.language = language_.c_str();
    parameters_.initial_prompt = prompt_.empty() ? nullptr : prompt_.c_str();
    parameters_.abort_callback = [](void *stop) { return static_cast<std::atomic<bool> *>(stop)->load(); };
    parameters_.abort_callback_user_data = stop_.get();
    parameters_.encoder_begin_callback = [](whisper_context *, whisper_state *, void *worker) {
      return static_cast<TranscribeWorker *>(worker)->canEncode();
    };
    parameters_.encoder_begin_callback_user_data = this;
    parameters_.logits_filter_callback = [](whisper_context *, whisper_state *, const whisper_token_data *, int, float *logits,
                                            void *worker) { static_cast<TranscribeWorker *>(worker)->checkLogits(logits); };
    parameters_.logits_filter_callback_user_data = this;
    const int status = whisper_full_with_state(model_->context, state.get(), parameters_, samples_.data(), samples_.size());
    if (hasNaN_) return fail("the model computes NaN");
    if (status != 0 && !*stop_) return fail("whisper.cpp ended with " + std::to_string(status));
    for (int at = 0; at < whisper_full_n_segments_from_state(state.get()); at++) segments_.push_back(readSegment(state.get(), at));
  }

private:
  /**
   * Allows one encoder run per call: whisper.cpp would seek back for the rest of a window and encode the whole window again. The caller
   * transcribes the rest in another call, whose cost is proportional to its length.
   */
  bool canEncode() { return encoderRuns_++ == 0 && !*stop_; }

  /** Damaged weights produce NaN, for which whisper.cpp would decode at every temperature without result. */
  void checkLogits(const float *logits) {
    if (!std::isnan(logits[0]) && !std::isnan(logits[whisper_token_eot(model_->context)])) return;
    hasNaN_ = true;
    stop_->store(true);
  }

  Segment readSegment(whisper_state *state, int at) const {
    Segment segment{whisper_full_get_segment_t0_from_state(state, at) * 10, whisper_full_get_segment_t1_from_state(state, at) * 10,
                    whisper_full_get_segment_no_speech_prob_from_state(state, at), {}};
    for (int index = 0; index < whisper_full_n_tokens_from_state(state, at); index++) {
      const auto data = whisper_full_get_token_data_from_state(state, at, index);
      if (data.id >= whisper_token_eot(model_->context)) continue;
      segment.tokens.push_back(
          {data.p, data.plog, data.t0 * 10, data.t1 * 10, whisper_token_to_str(model_->context, data.id)});
    }
    return segment;
  }

  /** Returns tokens as bytes, because a letter may be split across two of them. */
  Napi::Object toObject(const Segment &segment) {
    auto object = Napi::Object::New(Env());
    object.Set("startMs", static_cast<double>(segment.startMs));
    object.Set("endMs", static_cast<double>(segment.endMs));
    object.Set("noSpeechProbability", segment.noSpeechProbability);
    auto tokens = Napi::Array::New(Env(), segment.tokens.size());
    for (size_t at = 0; at < segment.tokens.size(); at++) {
      const auto &token = segment.tokens[at];
      auto entry = Napi::Object::New(Env());
      entry.Set("bytes", Napi::Buffer<char>::Copy(Env(), token.bytes.data(), token.bytes.size()));
      entry.Set("probability", token.probability);
      entry.Set("logProbability", token.logProbability);
      entry.Set("startMs", static_cast<double>(token.startMs));
      entry.Set("endMs", static_cast<double>(token.endMs));
      tokens[at] = entry;
    }
    object.Set("tokens", tokens);
    return object;
  }

  std::string language_;
  std::string prompt_;
  whisper_full_params parameters_;
  std::vector<Segment> segments_;
  int encoderRuns_ = 0;
  bool hasNaN_ = false;
};

class LanguageWorker : public CallWorker {
public:
  using CallWorker::CallWorker;

  void OnOK() override {
    auto object = Napi::Object::New(Env());
    for (size_t at = 0; at < probabilities_.size(); at++) object.Set(whisper_lang_str(at), probabilities_[at]);
    deferred_.Resolve(object);
  }

protected:
  void run() override {
    const auto state = newState(*model_);
    if (!state) return fail("whisper.cpp could not allocate its working memory");
    if (whisper_pcm_to_mel_with_state(model_->context, state.get(), samples_.data(), samples_.size(), threads_) != 0)
      return fail("whisper.cpp could not process the audio");
    probabilities_.resize(whisper_lang_max_id() + 1);
    if (whisper_lang_auto_detect_with_state(model_->context, state.get(), 0, threads_, probabilities_.data()) < 0)
      fail("whisper.cpp could not detect the language");
  }

private:
  std::vector<float> probabilities_;
};

template <typename Worker> Napi::Value startCall(const Napi::CallbackInfo &info) {
  const auto isAudio = info[1].IsTypedArray() && info[1].As<Napi::TypedArray>().TypedArrayType() == napi_float32_array;
  if (!info[0].IsExternal() || !isAudio || !info[2].IsObject()) {
    Napi::TypeError::New(info.Env(), "Expected a model, a Float32Array and options").ThrowAsJavaScriptException();
    return info.Env().Null();
  }
  const auto &model = *info[0].As<Napi::External<ModelPointer>>().Data();
  auto *worker = new Worker(info.Env(), model, info[1].As<Napi::Float32Array>(), info[2].As<Napi::Object>());
  auto handle = worker->handle();
  worker->Queue();
  return handle;
}

Napi::Value load(const Napi::CallbackInfo &info) {
  auto *worker = new LoadWorker(info.Env(), info[0].ToString().Utf8Value(), info[1].ToObject());
  worker->Queue();
  return worker->promise();
}

/** Writes only warnings and errors to stderr, whose last lines the parent process keeps for its log. */
void writeLog(wsp_ggml_log_level level, const char *message, void *) {
  if (level == WSP_GGML_LOG_LEVEL_WARN || level == WSP_GGML_LOG_LEVEL_ERROR) fputs(message, stderr);
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  whisper_log_set(writeLog, nullptr);
  exports.Set("load", Napi::Function::New(env, load));
  exports.Set("transcribe", Napi::Function::New(env, startCall<TranscribeWorker>));
  exports.Set("detectLanguages", Napi::Function::New(env, startCall<LanguageWorker>));
  initializeOnnx(env, exports);
  return exports;
}

} // namespace

NODE_API_MODULE(whisper, initialize)
