#pragma once
#include "onnxruntime-api.h"

namespace onnx {

// attention-operators.cc
extern const OrtCustomOp crossAttentionOp, selfAttentionOp, fullAttentionOp;
// integer-operators.cc
extern const OrtCustomOp quantizeRowsOp, normalizeAndQuantizeRowsOp, scaleProductsOp, multiplyRowsOp;

/** Returns the operators that graphs may have besides onnxruntime's own: the domain `awaz`. */
OrtCustomOpDomain *operators();

} // namespace onnx
