import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cancellationError } from '#engine/child/child-process.ts'
import { assertFreeSpace } from '../../store/disk.ts'
import type { WhisperSource } from '../whisper-source.ts'
import type { ConversionProgress } from '../write-ggml.ts'
import { decoderGraph } from './decoder-graph.ts'
import { encoderGraph } from './encoder-graph.ts'
import { encodeTokens, whisperMetadata } from './whisper-metadata.ts'
import type { Precision } from './whisper-layers.ts'
import { countModelBytes, writeOnnx } from './write-onnx.ts'
import type { OnnxModel } from './write-onnx.ts'

interface WriteOnnxWhisperOptions {
  /** 8-bit integers by default. */
  precisions?: readonly Precision[]
  signal?: AbortSignal
  onProgress?: (progress: ConversionProgress) => void
  /** Is called with the folder of the complete files before they appear in theirs; they do not where it throws. */
  onComplete?: (partial: string) => Promise<void>
}

/** Names of the files of each precision, and of the tokens of both. */
export const onnxWhisperFiles = {
  int8: { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx' },
  float32: { encoder: 'encoder.onnx', decoder: 'decoder.onnx' },
  tokens: 'tokens.txt',
} as const

/**
 * Writes a model for onnxruntime with the inputs and outputs of sherpa-onnx's exports with attention: encoder, decoder and tokens in a new
 * folder, which appears when it is complete. One weight is in memory at a time.
 *
 * @throws AppError `disk_full` before anything is written
 * @throws AppError `model_unavailable` for damaged weights, `job_cancelled` when `signal` is aborted
 */
export async function writeOnnxWhisper(
  source: WhisperSource,
  folder: string,
  { precisions = ['int8'], signal, onProgress, onComplete }: WriteOnnxWhisperOptions = {},
): Promise<void> {
  const models = precisions.flatMap((precision) => listModels(source, precision))
  const total = models.reduce((sum, { model }) => sum + countModelBytes(model), 0)
  await assertFreeSpace(dirname(folder), total)
  let done = 0
  const onWeightBytes = (bytes: number) => {
    if (signal?.aborted) throw cancellationError(signal)
    onProgress?.({ done: (done += bytes), total })
  }
  const partial = `${folder}.partial`
  try {
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial)
    for (const { name, model } of models) await writeOnnx(join(partial, name), model, { onWeightBytes })
    await writeFile(join(partial, onnxWhisperFiles.tokens), encodeTokens(source.words))
    await onComplete?.(partial)
    await rename(partial, folder)
    await using parent = await open(dirname(folder))
    await parent.sync()
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

function listModels(source: WhisperSource, precision: Precision): { name: string; model: OnnxModel }[] {
  const names = onnxWhisperFiles[precision]
  const encoder = { ...encoderGraph(source, precision), metadata: whisperMetadata(source) }
  return [
    { name: names.encoder, model: encoder },
    { name: names.decoder, model: decoderGraph(source, precision) },
  ]
}
