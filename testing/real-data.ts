import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const shared = join(dirname(dirname(import.meta.dirname)), 'shared')

/** The folder of recordings and transcripts, which are not part of the repository: REAL_DATA_DIR, or a folder beside it. */
export const realDataDir = process.env.REAL_DATA_DIR || join(shared, 'real-data')

/** The folder with Whisper base as ggml-base.bin that .ci/run fetches; empty when AWAZ_REAL_MODELS is not set. */
export const realModelsDir = process.env.AWAZ_REAL_MODELS ?? ''

/** Returns why the recordings cannot be used, or undefined when they are there. */
export function realDataAbsence(): string | undefined {
  if (existsSync(join(realDataDir, 'speech', 'manifest.tsv'))) return undefined
  return `There are no recordings of people at ${realDataDir} (REAL_DATA_DIR names another folder).`
}

/** Whisper base in ONNX, which .ci/run converts into the same folder: convert_whisper.py. */
export const whisperOnnxDir = join(realModelsDir, 'whisper-base-onnx')

/** Returns why Whisper base in ONNX cannot be used, or undefined when it is there. */
export function whisperOnnxAbsence(): string | undefined {
  if (existsSync(join(whisperOnnxDir, 'tokens.txt'))) return undefined
  return `There is no whisper-base-onnx in ${realModelsDir} (AWAZ_REAL_MODELS): testing/real-models/convert_whisper.py makes it.`
}

/** Returns why the real weights cannot be used, or undefined when they are there. */
export function realModelsAbsence(): string | undefined {
  if (realModelsDir === '') return 'AWAZ_REAL_MODELS names no folder with a real Whisper base.'
  if (existsSync(join(realModelsDir, 'ggml-base.bin'))) return undefined
  return `There is no ggml-base.bin in ${realModelsDir} (AWAZ_REAL_MODELS).`
}
