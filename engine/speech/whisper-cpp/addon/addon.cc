// Node-API addon over whisper.cpp: loads a model, transcribes one window, tells the probabilities of all languages. Every call runs on a
// thread of libuv's pool and can be aborted; whisper.cpp notices an abort between two steps of a network, within a fraction of a second.
// The JavaScript side (whisper-child.ts) checks what it passes; what is checked here is what would otherwise crash the process.
#include <napi.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "whisper.h"

namespace {

/** A loaded model. Calls take turns; each gets a state of its own, so that nothing of one call (seed, text, abort) reaches the next. */
struct Model {
  whisper_context *context = nullptr;
  std::mutex turn;

  ~Model() {
    if (context) whisper_free(context);
  }
};

using ModelPointer = std::shared_ptr<Model>;
using StatePointer = std::unique_ptr<whisper_state, decltype(&whisper_free_state)>;
using AbortFlag = std::shared_ptr<std::atomic<bool>>;

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
  float noSpeech;
  std::vector<Token> tokens;
};

double number(const Napi::Object &options, const char *name) { return options.Get(name).ToNumber().DoubleValue(); }

bool flag(const Napi::Object &options, const char *name) { return options.Get(name).ToBoolean().Value(); }

std::string text(const Napi::Object &options, const char *name) {
  const auto value = options.Get(name);
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
}

StatePointer newState(const Model &model) { return StatePointer(whisper_init_state(model.context), whisper_free_state); }

class LoadWorker : public Napi::AsyncWorker {
public:
  LoadWorker(Napi::Env env, std::string path, const Napi::Object &options)
      : AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), path_(std::move(path)),
        parameters_(whisper_context_default_params()) {
    parameters_.use_gpu = false;
    parameters_.flash_attn = flag(options, "flashAttention");
  }

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    model_->context = whisper_init_from_file_with_params_no_state(path_.c_str(), parameters_);
    if (!model_->context) return SetError("whisper.cpp could not load the model");
    if (!newState(*model_)) SetError("whisper.cpp could not allocate its working memory");
  }

  void OnOK() override {
    auto *held = new ModelPointer(model_);
    deferred_.Resolve(Napi::External<ModelPointer>::New(Env(), held, [](Napi::Env, ModelPointer *gone) { delete gone; }));
  }

  void OnError(const Napi::Error &error) override { deferred_.Reject(error.Value()); }

private:
  Napi::Promise::Deferred deferred_;
  std::string path_;
  whisper_context_params parameters_;
  ModelPointer model_ = std::make_shared<Model>();
};

/** What both kinds of call share: the model, a copy of the samples, the abort flag and the promise. */
class CallWorker : public Napi::AsyncWorker {
public:
  CallWorker(Napi::Env env, ModelPointer model, const Napi::Float32Array &samples, const Napi::Object &options)
      : AsyncWorker(env), model_(std::move(model)), threads_(std::max(1, static_cast<int>(number(options, "threads")))),
        deferred_(Napi::Promise::Deferred::New(env)) {
    samples_.assign(samples.Data(), samples.Data() + samples.ElementLength());
    for (float &sample : samples_)
      if (!std::isfinite(sample)) sample = 0;
  }

  /** The call as JavaScript sees it: `promise` and `abort()`. */
  Napi::Object handle() {
    auto handle = Napi::Object::New(Env());
    handle.Set("promise", deferred_.Promise());
    handle.Set("abort", Napi::Function::New(Env(), [stop = stop_](const Napi::CallbackInfo &) { stop->store(true); }));
    return handle;
  }

  void Execute() override {
    std::lock_guard<std::mutex> lock(model_->turn);
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

class TranscribeWorker : public CallWorker {
public:
  TranscribeWorker(Napi::Env env, ModelPointer model, const Napi::Float32Array &samples, const Napi::Object &options)
      : CallWorker(env, std::move(model), samples, options), language_(text(options, "language")), prompt_(text(options, "prompt")) {
    const int beams = static_cast<int>(number(options, "beamSize"));
    parameters_ = whisper_full_default_params(beams > 1 ? WHISPER_SAMPLING_BEAM_SEARCH : WHISPER_SAMPLING_GREEDY);
    parameters_.beam_search.beam_size = beams;
    parameters_.greedy.best_of = static_cast<int>(number(options, "bestOf"));
    parameters_.n_threads = threads_;
    parameters_.temperature = number(options, "temperature");
    parameters_.temperature_inc = number(options, "temperatureStep");
    parameters_.entropy_thold = number(options, "entropyThreshold");
    parameters_.logprob_thold = number(options, "logProbabilityThreshold");
    parameters_.no_speech_thold = number(options, "noSpeechThreshold");
    parameters_.audio_ctx = static_cast<int>(number(options, "audioContext"));
    parameters_.max_initial_ts = number(options, "maxInitialSeconds");
    parameters_.suppress_nst = true;
    parameters_.token_timestamps = true;
    // A window knows nothing of the text before it, so that a repetition cannot feed itself.
    parameters_.no_context = true;
    parameters_.print_progress = false;
    parameters_.print_timestamps = false;
  }

  void OnOK() override {
    auto segments = Napi::Array::New(Env(), segments_.size());
    for (size_t at = 0; at < segments_.size(); at++) segments[at] = describe(segments_[at]);
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
      return static_cast<TranscribeWorker *>(worker)->mayEncode();
    };
    parameters_.encoder_begin_callback_user_data = this;
    parameters_.logits_filter_callback = [](whisper_context *, whisper_state *, const whisper_token_data *, int, float *logits,
                                            void *worker) { static_cast<TranscribeWorker *>(worker)->checkLogits(logits); };
    parameters_.logits_filter_callback_user_data = this;
    const int status = whisper_full_with_state(model_->context, state.get(), parameters_, samples_.data(), samples_.size());
    if (hasNoNumber_) return fail("the model computes what is not a number");
    if (status != 0 && !*stop_) return fail("whisper.cpp ended with " + std::to_string(status));
    for (int at = 0; at < whisper_full_n_segments_from_state(state.get()); at++) segments_.push_back(read(state.get(), at));
  }

private:
  /**
   * One encoder run a call: whisper.cpp would go back for what it did not write of a window, with the whole encoder again. The caller asks
   * for the rest in a call of its own, which costs what the rest is long.
   */
  bool mayEncode() { return encoderRuns_++ == 0 && !*stop_; }

  /** Damaged weights give NaN, on which whisper.cpp would decode at every temperature and find nothing. */
  void checkLogits(const float *logits) {
    if (!std::isnan(logits[0]) && !std::isnan(logits[whisper_token_eot(model_->context)])) return;
    hasNoNumber_ = true;
    stop_->store(true);
  }

  Segment read(whisper_state *state, int at) const {
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

  /** Tokens as bytes, because a letter may be spread over two of them. */
  Napi::Object describe(const Segment &segment) {
    auto object = Napi::Object::New(Env());
    object.Set("startMs", static_cast<double>(segment.startMs));
    object.Set("endMs", static_cast<double>(segment.endMs));
    object.Set("noSpeech", segment.noSpeech);
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
  bool hasNoNumber_ = false;
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
      return fail("whisper.cpp could not read the sound");
    probabilities_.resize(whisper_lang_max_id() + 1);
    if (whisper_lang_auto_detect_with_state(model_->context, state.get(), 0, threads_, probabilities_.data()) < 0)
      fail("whisper.cpp could not tell the language");
  }

private:
  std::vector<float> probabilities_;
};

template <typename Worker> Napi::Value startCall(const Napi::CallbackInfo &info) {
  const auto isSound = info[1].IsTypedArray() && info[1].As<Napi::TypedArray>().TypedArrayType() == napi_float32_array;
  if (!info[0].IsExternal() || !isSound || !info[2].IsObject()) {
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


/** Warnings and errors alone reach stderr, where the parent process keeps the last lines for its log. */
void writeLog(wsp_ggml_log_level level, const char *message, void *) {
  if (level == WSP_GGML_LOG_LEVEL_WARN || level == WSP_GGML_LOG_LEVEL_ERROR) fputs(message, stderr);
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  whisper_log_set(writeLog, nullptr);
  exports.Set("load", Napi::Function::New(env, load));
  exports.Set("transcribe", Napi::Function::New(env, startCall<TranscribeWorker>));
  exports.Set("detectLanguages", Napi::Function::New(env, startCall<LanguageWorker>));
  return exports;
}

} // namespace

NODE_API_MODULE(whisper, initialise)
