#pragma once
// ggml-cpu.c looks for its matrix product under this name when it is compiled with WSP_GGML_USE_LLAMAFILE. The package that whisper.cpp
// comes from leaves llamafile's own out; matmul.cc is ours.
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wsp_ggml_compute_params;

/**
 * Computes C = Aᵀ·B: C[j * ldc + i] is the dot product of row i of A (m rows) and row j of B (n rows), both of k blocks. Strides and k
 * count blocks of the type (of one value for F32 and F16, of 32 for Q8_0). Every thread of the pool calls it and computes its share.
 * Returns false, the same on every thread and before anything is written, for what ggml should compute itself.
 */
bool llamafile_sgemm(const struct wsp_ggml_compute_params *params, int64_t m, int64_t n, int64_t k, const void *A, int64_t lda,
                     const void *B, int64_t ldb, void *C, int64_t ldc, int Atype, int Btype, int Ctype);

#ifdef __cplusplus
}
#endif
