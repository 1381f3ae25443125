// Graphs: sessions of onnxruntime, loaded and run on a thread of libuv's pool.
#include <sys/stat.h>

#include <chrono>

#include "handles.h"
#include "operators.h"

namespace onnx {

namespace {

struct Place {
  std::string name;
  /** -1: dynamic. */
  std::vector<int64_t> dims;
};

struct Graph {
  ~Graph() {
    if (session) api().ReleaseSession(session);
  }

  static const char *releasedMessage() { return "The graph was released"; }

  OrtSession *session = nullptr;
  std::vector<Place> inputs;
  std::vector<Place> outputs;
  std::vector<std::pair<std::string, std::string>> metadata;
  /** Size of its file: what its weights take at least. */
  size_t bytes = 0;
  std::chrono::steady_clock::time_point lastShrink;
};

/** How often a graph returns the unused memory of its arena, which takes as long as one step of Whisper's decoder. */
constexpr auto shrinkInterval = std::chrono::milliseconds(500);

/** Frees what onnxruntime returned when it goes out of scope. */
template <typename T> struct Freed {
  using Release = void (*)(T *);
  explicit Freed(Release release) : release(release) {}
  ~Freed() {
    if (held) release(held);
  }
  Freed(const Freed &) = delete;
  Release release;
  T *held = nullptr;
};

/** Copies a text that onnxruntime allocated, and frees it. */
std::string takeText(OrtAllocator *allocator, char *text) {
  std::string copy = text ? text : "";
  if (text) allocator->Free(allocator, text);
  return copy;
}

/** Returns onnxruntime's environment. Logs nothing but what ends the process: every other error is returned. */
OrtEnv *environment() {
  static OrtEnv *const environment = [] {
    OrtEnv *created = nullptr;
    check(api().CreateEnv(ORT_LOGGING_LEVEL_FATAL, "awaz", &created));
    return created;
  }();
  return environment;
}

OrtSession *createSession(const std::string &path, int threads) {
  Freed<OrtSessionOptions> options(api().ReleaseSessionOptions);
  check(api().CreateSessionOptions(&options.held));
  check(api().SetIntraOpNumThreads(options.held, threads));
  check(api().SetInterOpNumThreads(options.held, 1));
  check(api().SetSessionExecutionMode(options.held, ORT_SEQUENTIAL));
  check(api().SetSessionGraphOptimizationLevel(options.held, ORT_ENABLE_ALL));
  check(api().AddSessionConfigEntry(options.held, "session.intra_op.allow_spinning", "0"));
  // A pattern would be kept for each length of a decoder's growing inputs. The arena stays: without it, a step of Whisper base spends
  // twice the time of its products on getting memory from the system.
  check(api().DisableMemPattern(options.held));
  check(api().AddCustomOpDomain(options.held, operators()));
  OrtSession *session = nullptr;
  check(api().CreateSession(environment(), path.c_str(), options.held, &session));
  return session;
}

std::vector<int64_t> readDims(const OrtTypeInfo *info) {
  const OrtTensorTypeAndShapeInfo *shape = nullptr;
  check(api().CastTypeInfoToTensorInfo(info, &shape));
  if (!shape) return {};
  size_t rank = 0;
  check(api().GetDimensionsCount(shape, &rank));
  std::vector<int64_t> dims(rank);
  check(api().GetDimensions(shape, dims.data(), rank));
  return dims;
}

template <typename Count, typename Name, typename Type>
std::vector<Place> readPlaces(OrtSession *session, OrtAllocator *allocator, Count getCount, Name getName, Type getType) {
  size_t count = 0;
  check(getCount(session, &count));
  std::vector<Place> places(count);
  for (size_t at = 0; at < count; at++) {
    char *name = nullptr;
    check(getName(session, at, allocator, &name));
    places[at].name = takeText(allocator, name);
    Freed<OrtTypeInfo> type(api().ReleaseTypeInfo);
    check(getType(session, at, &type.held));
    places[at].dims = readDims(type.held);
  }
  return places;
}

std::vector<std::pair<std::string, std::string>> readMetadata(OrtSession *session, OrtAllocator *allocator) {
  Freed<OrtModelMetadata> metadata(api().ReleaseModelMetadata);
  check(api().SessionGetModelMetadata(session, &metadata.held));
  char **keys = nullptr;
  int64_t count = 0;
  check(api().ModelMetadataGetCustomMetadataMapKeys(metadata.held, allocator, &keys, &count));
  std::vector<std::pair<std::string, std::string>> pairs;
  for (int64_t at = 0; at < count; at++) pairs.emplace_back(takeText(allocator, keys[at]), "");
  if (keys) allocator->Free(allocator, keys);
  for (auto &[key, value] : pairs) {
    char *text = nullptr;
    check(api().ModelMetadataLookupCustomMetadataMap(metadata.held, allocator, key.c_str(), &text));
    value = takeText(allocator, text);
  }
  return pairs;
}

/** Base of both kinds of work: the promise, and one at a time. AsyncWorker turns exceptions into rejections. */
class Worker : public Napi::AsyncWorker {
public:
  explicit Worker(Napi::Env env) : AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    const std::lock_guard<std::mutex> lock(callMutex);
    work();
  }

  void OnError(const Napi::Error &error) override { deferred_.Reject(error.Value()); }

protected:
  virtual void work() = 0;

  Napi::Promise::Deferred deferred_;
};

class LoadWorker : public Worker {
public:
  LoadWorker(Napi::Env env, std::string path, int threads) : Worker(env), path_(std::move(path)), threads_(threads) {}

  void work() override {
    graph_->session = createSession(path_, threads_);
    OrtAllocator *allocator = nullptr;
    check(api().GetAllocatorWithDefaultOptions(&allocator));
    graph_->inputs = readPlaces(graph_->session, allocator, api().SessionGetInputCount, api().SessionGetInputName, api().SessionGetInputTypeInfo);
    graph_->outputs =
        readPlaces(graph_->session, allocator, api().SessionGetOutputCount, api().SessionGetOutputName, api().SessionGetOutputTypeInfo);
    graph_->metadata = readMetadata(graph_->session, allocator);
    struct stat file {};
    if (stat(path_.c_str(), &file) == 0) graph_->bytes = static_cast<size_t>(file.st_size);
  }

  void OnOK() override {
    auto object = Napi::Object::New(Env());
    auto metadata = Napi::Object::New(Env());
    for (const auto &[key, value] : graph_->metadata) metadata.Set(key, value);
    object.Set("inputs", toArray(graph_->inputs));
    object.Set("outputs", toArray(graph_->outputs));
    object.Set("metadata", metadata);
    object.Set("handle", wrap(Env(), graph_));
    deferred_.Resolve(object);
  }

private:
  Napi::Array toArray(const std::vector<Place> &places) {
    auto array = Napi::Array::New(Env(), places.size());
    for (size_t at = 0; at < places.size(); at++) {
      auto object = Napi::Object::New(Env());
      object.Set("name", places[at].name);
      object.Set("dims", onnx::toArray(Env(), places[at].dims));
      array[at] = object;
    }
    return array;
  }

  std::string path_;
  int threads_;
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
};

/** What a run needs; keeps it from being freed meanwhile. */
struct RunArguments {
  std::shared_ptr<Graph> graph;
  std::vector<std::string> inputNames;
  std::vector<std::shared_ptr<Tensor>> inputs;
  std::vector<std::string> outputNames;
};

class RunWorker : public Worker {
public:
  RunWorker(Napi::Env env, RunArguments arguments) : Worker(env), arguments_(std::move(arguments)) {}

  void work() override {
    const auto &[graph, names, tensors, outputs] = arguments_;
    std::vector<const OrtValue *> inputs;
    for (const auto &tensor : tensors) inputs.push_back(tensor->value);
    const auto inputNames = toPointers(names);
    const auto outputNames = toPointers(outputs);
    std::vector<OrtValue *> values(outputs.size(), nullptr);
    Freed<OrtRunOptions> options(api().ReleaseRunOptions);
    check(api().CreateRunOptions(&options.held));
    const auto now = std::chrono::steady_clock::now();
    if (now - graph->lastShrink >= shrinkInterval) {
      check(api().AddRunConfigEntry(options.held, "memory.enable_memory_arena_shrinkage", "cpu:0"));
      graph->lastShrink = now;
    }
    check(api().Run(graph->session, options.held, inputNames.data(), inputs.data(), inputs.size(), outputNames.data(), outputNames.size(),
                    values.data()));
    for (size_t at = 0; at < values.size(); at++) {
      try {
        outputs_.push_back(std::make_shared<Tensor>(values[at]));
      } catch (...) {
        for (size_t rest = at + 1; rest < values.size(); rest++) api().ReleaseValue(values[rest]);
        throw;
      }
    }
  }

  void OnOK() override {
    auto array = Napi::Array::New(Env(), outputs_.size());
    for (size_t at = 0; at < outputs_.size(); at++) array[at] = toObject(Env(), outputs_[at]);
    deferred_.Resolve(array);
  }

private:
  static std::vector<const char *> toPointers(const std::vector<std::string> &names) {
    std::vector<const char *> pointers;
    for (const auto &name : names) pointers.push_back(name.c_str());
    return pointers;
  }

  RunArguments arguments_;
  std::vector<std::shared_ptr<Tensor>> outputs_;
};

std::vector<std::string> readNames(const Napi::Value &value) {
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> names;
  for (uint32_t at = 0; at < array.Length(); at++) names.push_back(array.Get(at).ToString().Utf8Value());
  return names;
}

Napi::Value queue(Worker *worker) {
  const auto promise = worker->promise();
  worker->Queue();
  return promise;
}

/** loadGraph(path, threads) */
Napi::Value loadGraph(const Napi::CallbackInfo &info) {
  return queue(new LoadWorker(info.Env(), info[0].ToString().Utf8Value(), info[1].ToNumber().Int32Value()));
}

/** run(handle, inputNames, inputHandles, outputNames) */
Napi::Value run(const Napi::CallbackInfo &info) {
  RunArguments arguments{unwrap<Graph>(info[0]), readNames(info[1]), {}, readNames(info[3])};
  const auto handles = info[2].As<Napi::Array>();
  for (uint32_t at = 0; at < handles.Length(); at++) arguments.inputs.push_back(unwrap<Tensor>(handles[at]));
  if (arguments.inputs.size() != arguments.inputNames.size()) throw Napi::TypeError::New(info.Env(), "Expected a tensor for each name");
  return queue(new RunWorker(info.Env(), std::move(arguments)));
}

} // namespace

void initializeGraphs(Napi::Env env, Napi::Object exports) {
  exports.Set("loadGraph", Napi::Function::New(env, loadGraph));
  exports.Set("run", Napi::Function::New(env, run));
  exports.Set("releaseGraph", Napi::Function::New(env, release<Graph>));
}

} // namespace onnx
