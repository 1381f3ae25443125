#include "operators.h"

#include "handles.h"

namespace onnx {

OrtCustomOpDomain *operators() {
  static OrtCustomOpDomain *const domain = [] {
    OrtCustomOpDomain *created = nullptr;
    check(api().CreateCustomOpDomain("awaz", &created));
    for (const auto *op : {&crossAttentionOp, &selfAttentionOp, &fullAttentionOp, &quantizeRowsOp, &normalizeAndQuantizeRowsOp, &scaleProductsOp,
                           &multiplyRowsOp})
      check(api().CustomOpDomain_Add(created, op));
    return created;
  }();
  return domain;
}

} // namespace onnx
