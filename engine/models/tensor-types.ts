/** The storage of a tensor type: a block of `elements` takes `bytes`. */
export interface TensorType {
  bytes: number
  elements: number
}

/** The tensor types of ggml and GGUF files by number (ggml.h, enum ggml_type; sizes: ggml-common.h). */
export const tensorTypes: Record<number, TensorType> = {
  0: { bytes: 4, elements: 1 }, // f32
  1: { bytes: 2, elements: 1 }, // f16
  2: { bytes: 18, elements: 32 }, // q4_0
  3: { bytes: 20, elements: 32 }, // q4_1
  6: { bytes: 22, elements: 32 }, // q5_0
  7: { bytes: 24, elements: 32 }, // q5_1
  8: { bytes: 34, elements: 32 }, // q8_0
  9: { bytes: 36, elements: 32 }, // q8_1
  10: { bytes: 84, elements: 256 }, // q2_k
  11: { bytes: 110, elements: 256 }, // q3_k
  12: { bytes: 144, elements: 256 }, // q4_k
  13: { bytes: 176, elements: 256 }, // q5_k
  14: { bytes: 210, elements: 256 }, // q6_k
  15: { bytes: 292, elements: 256 }, // q8_k
  16: { bytes: 66, elements: 256 }, // iq2_xxs
  17: { bytes: 74, elements: 256 }, // iq2_xs
  18: { bytes: 98, elements: 256 }, // iq3_xxs
  19: { bytes: 50, elements: 256 }, // iq1_s
  20: { bytes: 18, elements: 32 }, // iq4_nl
  21: { bytes: 110, elements: 256 }, // iq3_s
  22: { bytes: 82, elements: 256 }, // iq2_s
  23: { bytes: 136, elements: 256 }, // iq4_xs
  24: { bytes: 1, elements: 1 }, // i8
  25: { bytes: 2, elements: 1 }, // i16
  26: { bytes: 4, elements: 1 }, // i32
  27: { bytes: 8, elements: 1 }, // i64
  28: { bytes: 8, elements: 1 }, // f64
  29: { bytes: 56, elements: 256 }, // iq1_m
  30: { bytes: 2, elements: 1 }, // bf16
  34: { bytes: 54, elements: 256 }, // tq1_0
  35: { bytes: 66, elements: 256 }, // tq2_0
  39: { bytes: 17, elements: 32 }, // mxfp4
}
