#pragma once
// The part of onnxruntime's C API that the addon calls, as its reference documents it (https://onnxruntime.ai/docs/api/c/struct_ort_api.html). The library
// returns a table of functions. Versions only add to its end, so that a function keeps its place; places that the addon does not use are skipped.
#include <cstddef>
#include <cstdint>

namespace onnx {

struct OrtCustomOpDomain;
struct OrtEnv;
struct OrtKernelContext;
struct OrtKernelInfo;
struct OrtModelMetadata;
struct OrtRunOptions;
struct OrtSession;
struct OrtSessionOptions;
struct OrtStatus;
struct OrtTensorTypeAndShapeInfo;
struct OrtTypeInfo;
struct OrtValue;

enum OrtLoggingLevel { ORT_LOGGING_LEVEL_FATAL = 4 };
enum ExecutionMode { ORT_SEQUENTIAL = 0 };
enum GraphOptimizationLevel { ORT_ENABLE_ALL = 99 };
enum ONNXTensorElementDataType : int {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED = 0,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT = 1,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 = 2,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 = 3,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 = 6,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 = 16,
};
enum OrtErrorCode { ORT_FAIL = 1 };
enum OrtCustomOpInputOutputCharacteristic { INPUT_OUTPUT_REQUIRED = 0, INPUT_OUTPUT_OPTIONAL = 1 };
enum OrtMemType { OrtMemTypeDefault = 0 };

struct OrtAllocator {
  uint32_t version;
  void *(*Alloc)(OrtAllocator *allocator, size_t size);
  void (*Free)(OrtAllocator *allocator, void *memory);
};

struct OrtApi;

/** An operator that is not onnxruntime's own. What its version does not have is not called. */
struct OrtCustomOp {
  using Skipped = void *;

  uint32_t version;
  void *(*CreateKernel)(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info);
  const char *(*GetName)(const OrtCustomOp *op);
  /** Nothing: the CPU. */
  const char *(*GetExecutionProviderType)(const OrtCustomOp *op);
  ONNXTensorElementDataType (*GetInputType)(const OrtCustomOp *op, size_t index);
  size_t (*GetInputTypeCount)(const OrtCustomOp *op);
  ONNXTensorElementDataType (*GetOutputType)(const OrtCustomOp *op, size_t index);
  size_t (*GetOutputTypeCount)(const OrtCustomOp *op);
  /** The former KernelCompute, which cannot return an error. */
  Skipped computeWithoutStatus;
  void (*KernelDestroy)(void *kernel);
  OrtCustomOpInputOutputCharacteristic (*GetInputCharacteristic)(const OrtCustomOp *op, size_t index);
  OrtCustomOpInputOutputCharacteristic (*GetOutputCharacteristic)(const OrtCustomOp *op, size_t index);
  OrtMemType (*GetInputMemoryType)(const OrtCustomOp *op, size_t index);
  /** For a variable number of inputs and outputs. */
  Skipped variadic[4];
  OrtStatus *(*CreateKernelV2)(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info, void **kernel);
  OrtStatus *(*KernelComputeV2)(void *kernel, OrtKernelContext *context);
  /** Inference of shapes, versions, and outputs in the place of inputs. */
  Skipped ofLaterVersions[7];
};

/** The first version with operators that return a status. */
constexpr uint32_t customOpVersion = 16;

/** A function that returns no status succeeds. */
struct OrtApi {
  using Skipped = void *;

  OrtStatus *(*CreateStatus)(OrtErrorCode code, const char *message);
  Skipped place1;
  const char *(*GetErrorMessage)(const OrtStatus *status);
  OrtStatus *(*CreateEnv)(OrtLoggingLevel level, const char *logId, OrtEnv **env);
  Skipped places4To6[3];
  OrtStatus *(*CreateSession)(const OrtEnv *env, const char *path, const OrtSessionOptions *options, OrtSession **session);
  Skipped place8;
  OrtStatus *(*Run)(OrtSession *session, const OrtRunOptions *options, const char *const *inputNames, const OrtValue *const *inputs,
                    size_t inputCount, const char *const *outputNames, size_t outputCount, OrtValue **outputs);
  OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **options);
  Skipped places11To12[2];
  OrtStatus *(*SetSessionExecutionMode)(OrtSessionOptions *options, ExecutionMode mode);
  Skipped places14To16[3];
  OrtStatus *(*DisableMemPattern)(OrtSessionOptions *options);
  Skipped places18To22[5];
  OrtStatus *(*SetSessionGraphOptimizationLevel)(OrtSessionOptions *options, GraphOptimizationLevel level);
  OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *options, int threads);
  OrtStatus *(*SetInterOpNumThreads)(OrtSessionOptions *options, int threads);
  OrtStatus *(*CreateCustomOpDomain)(const char *name, OrtCustomOpDomain **domain);
  OrtStatus *(*CustomOpDomain_Add)(OrtCustomOpDomain *domain, const OrtCustomOp *op);
  OrtStatus *(*AddCustomOpDomain)(OrtSessionOptions *options, OrtCustomOpDomain *domain);
  Skipped place29;
  OrtStatus *(*SessionGetInputCount)(const OrtSession *session, size_t *count);
  OrtStatus *(*SessionGetOutputCount)(const OrtSession *session, size_t *count);
  Skipped place32;
  OrtStatus *(*SessionGetInputTypeInfo)(const OrtSession *session, size_t index, OrtTypeInfo **info);
  OrtStatus *(*SessionGetOutputTypeInfo)(const OrtSession *session, size_t index, OrtTypeInfo **info);
  Skipped place35;
  OrtStatus *(*SessionGetInputName)(const OrtSession *session, size_t index, OrtAllocator *allocator, char **name);
  OrtStatus *(*SessionGetOutputName)(const OrtSession *session, size_t index, OrtAllocator *allocator, char **name);
  Skipped place38;
  OrtStatus *(*CreateRunOptions)(OrtRunOptions **options);
  Skipped places40To47[8];
  OrtStatus *(*CreateTensorAsOrtValue)(OrtAllocator *allocator, const int64_t *dims, size_t rank, ONNXTensorElementDataType type,
                                       OrtValue **value);
  Skipped places49To50[2];
  OrtStatus *(*GetTensorMutableData)(OrtValue *value, void **data);
  Skipped places52To54[3];
  OrtStatus *(*CastTypeInfoToTensorInfo)(const OrtTypeInfo *info, const OrtTensorTypeAndShapeInfo **shape);
  Skipped places56To59[4];
  OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *shape, ONNXTensorElementDataType *type);
  OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *shape, size_t *rank);
  OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *shape, int64_t *dims, size_t rank);
  Skipped places63To64[2];
  OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *value, OrtTensorTypeAndShapeInfo **shape);
  Skipped places66To77[12];
  OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **allocator);
  Skipped places79To89[11];
  OrtStatus *(*KernelContext_GetInput)(const OrtKernelContext *context, size_t index, const OrtValue **value);
  OrtStatus *(*KernelContext_GetOutput)(OrtKernelContext *context, size_t index, const int64_t *dims, size_t rank, OrtValue **value);
  Skipped place92;
  void (*ReleaseStatus)(OrtStatus *status);
  Skipped place94;
  void (*ReleaseSession)(OrtSession *session);
  void (*ReleaseValue)(OrtValue *value);
  void (*ReleaseRunOptions)(OrtRunOptions *options);
  void (*ReleaseTypeInfo)(OrtTypeInfo *info);
  void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *shape);
  void (*ReleaseSessionOptions)(OrtSessionOptions *options);
  Skipped places101To110[10];
  OrtStatus *(*SessionGetModelMetadata)(const OrtSession *session, OrtModelMetadata **metadata);
  Skipped places112To115[4];
  OrtStatus *(*ModelMetadataLookupCustomMetadataMap)(const OrtModelMetadata *metadata, OrtAllocator *allocator, const char *key, char **value);
  Skipped place117;
  void (*ReleaseModelMetadata)(OrtModelMetadata *metadata);
  Skipped places119To122[4];
  OrtStatus *(*ModelMetadataGetCustomMetadataMapKeys)(const OrtModelMetadata *metadata, OrtAllocator *allocator, char ***keys, int64_t *count);
  Skipped places124To129[6];
  OrtStatus *(*AddSessionConfigEntry)(OrtSessionOptions *options, const char *key, const char *value);
  Skipped places131To164[34];
  OrtStatus *(*AddRunConfigEntry)(OrtRunOptions *options, const char *key, const char *value);
  Skipped places166To273[108];
  /** Calls `run` with each number below `total`, on the session's threads; 0 batches: as many as it likes. */
  OrtStatus *(*KernelContext_ParallelFor)(const OrtKernelContext *context, void (*run)(void *data, size_t number), size_t total, size_t batches,
                                          void *data);
};
static_assert(offsetof(OrtApi, KernelContext_ParallelFor) == 274 * sizeof(void *));

/** The version of the table that is asked for: the places above are those of its published header, and newer libraries return it too. */
constexpr uint32_t ORT_API_VERSION = 20;

/** What the library's `OrtGetApiBase` returns. */
struct OrtApiBase {
  /** Returns nothing where the library is older than the version. */
  const OrtApi *(*GetApi)(uint32_t version);
  const char *(*GetVersionString)();
};

} // namespace onnx
