#pragma once
#include <napi.h>

/** Adds the functions over onnxruntime as `exports.onnx`. onnxruntime itself is loaded by `exports.onnx.open`. */
void initializeOnnx(Napi::Env env, Napi::Object exports);
