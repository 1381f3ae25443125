#pragma once
#include "onnxruntime-api.h"

namespace onnx {

/** Returns the operators that graphs may have besides onnxruntime's own: the domain `awaz`. */
OrtCustomOpDomain *operators();

} // namespace onnx
