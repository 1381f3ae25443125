import { dirname, join } from 'node:path'

const shared = join(dirname(dirname(import.meta.dirname)), 'shared')

/** The folder of recordings and transcripts that are not part of the repository: REAL_DATA_DIR, or a folder beside the repository. */
export const realDataDir = process.env.REAL_DATA_DIR || join(shared, 'real-data')

/** The folder of recordings of readers, one man or woman in each. */
export const readersDir = join(realDataDir, 'speakers')

/** The folder with Whisper base as ggml-base.bin that .ci/run fetches; empty when AWAZ_REAL_MODELS is not set. */
export const realModelsDir = process.env.AWAZ_REAL_MODELS ?? ''

/** Whisper base in ONNX, which .ci/run converts into the same folder: real-models/convert-whisper.ts. */
export const whisperOnnxDir = join(realModelsDir, 'whisper-base-onnx')

/** Whisper base in the format of faster-whisper, which .ci/run fetches into the same folder. */
export const whisperCt2Dir = join(realModelsDir, 'whisper-base-ct2')

/** Gemma 3 270M, which .ci/run fetches into the same folder. */
export const gemmaPath = join(realModelsDir, 'gemma-3-270m-q4_k_m.gguf')
