import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cancellationError } from '#engine/child/child-process.ts'
import { assertFreeSpace } from '../../disk.ts'
import type { WhisperSource } from '../whisper-source.ts'
import type { ConversionProgress } from '../write-ggml.ts'
import { decoderGraph } from './decoder-graph.ts'
import { encodeTokens, whisperMetadata } from './whisper-metadata.ts'
import { type Precision, WhisperLayers } from './whisper-layers.ts'
import { countModelBytes, type OnnxModel, writeOnnx } from './write-onnx.ts'
import { elementTypes, OnnxGraph } from './onnx-graph.ts'

/**
 * Returns the encoder of a Whisper, which turns a log-mel spectrogram (`mel`, [audios, bands, frames]) of any length up to 30 s into the
 * keys and values that the decoder attends to.
 */
function encoderGraph(source: WhisperSource, precision: Precision): OnnxModel {
  const { audioContext, audioState, audioLayers, melBands } = source.sizes
  const graph = new OnnxGraph()
  const layers = new WhisperLayers(graph, source, { precision, hasFewRows: false })
  let x = convolve(layers, 'mel', 1)
  x = graph.add('Transpose', [convolve(layers, x, 2)], { attributes: { perm: [0, 2, 1] } })
  const positions = layers.floats('encoder.positional_embedding', audioContext, audioState)
  const length = layers.lengthOf(x, 1)
  x = graph.add('Add', [x, layers.slice(positions, graph.ints(0), length, 0)])
  for (let layer = 0; layer < audioLayers; layer += 1) {
    const block = `encoder.blocks.${layer}`
    x = layers.feedForward(graph.add('Add', [x, selfAttention(layers, x, block)]), block)
  }
  addCrossValues(layers, layers.norm(x, 'encoder.ln_post'))
  return {
    graph,
    inputs: [{ name: 'mel', type: 'float32', dims: ['N', melBands, 'T'] }],
    outputs: layers.crossValueInfos(),
  }
}

function convolve(layers: WhisperLayers, x: string, number: 1 | 2): string {
  const { graph, source } = layers
  const { audioState, melBands } = source.sizes
  const weight = layers.floats(`encoder.conv${number}.weight`, audioState, number === 1 ? melBands : audioState, 3)
  const bias = layers.floats(`encoder.conv${number}.bias`, audioState)
  const attributes = { kernel_shape: [3], pads: [1, 1], strides: [number] }
  return graph.add('Gelu', [graph.add('Conv', [x, weight, bias], { attributes })])
}

function selfAttention(layers: WhisperLayers, x: string, block: string): string {
  const { graph, source, precision } = layers
  const normed = layers.norm(x, `${block}.attn_ln`)
  if (precision === 'int8') {
    const { weights, biases } = layers.queryKeyValue(`${block}.attn`, layers.headSize ** -0.5)
    const joined = layers.multiply(normed, weights, biases)
    const heads = graph.ints(source.sizes.audioHeads)
    return layers.linear(graph.add('FullAttention', [joined, heads]), `${block}.attn.out`)
  }
  const { weights, biases } = layers.queryKeyValue(`${block}.attn`)
  const inputs = [...layers.splitInThree(layers.multiply(normed, weights)), layers.bias(biases)]
  const attributes = { num_heads: source.sizes.audioHeads }
  return layers.linear(graph.add('MultiHeadAttention', inputs, { attributes }), `${block}.attn.out`)
}

/** Adds an output per layer, in the layout that the decoder reads: it would copy all of a combined output for each token. */
function addCrossValues(layers: WhisperLayers, x: string): void {
  const store = (value: string, name: string) =>
    layers.graph.add('Cast', [value], { attributes: { to: elementTypes[layers.crossType] }, name })
  for (let layer = 0; layer < layers.source.sizes.textLayers; layer += 1) {
    const block = `decoder.blocks.${layer}.cross_attn`
    const keys = layers.multiply(x, [{ tensor: layers.tensor(`${block}.key.weight`) }])
    store(layers.splitHeads(keys, [0, 2, 3, 1]), layers.crossName('k', layer))
    store(layers.splitHeads(layers.linear(x, `${block}.value`)), layers.crossName('v', layer))
  }
}

interface WriteOnnxWhisperOptions {
  /** 8-bit integers by default. */
  precisions?: readonly Precision[]
  signal?: AbortSignal
  onProgress?: (progress: ConversionProgress) => void
  /** Called with the folder of the complete files before they appear in the final folder; if it throws, they do not appear. */
  onComplete?: (partial: string) => Promise<void>
}

/** File names for each precision, and of the tokens for both. */
export const onnxWhisperFiles = {
  int8: { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx' },
  float32: { encoder: 'encoder.onnx', decoder: 'decoder.onnx' },
  tokens: 'tokens.txt',
} as const

/**
 * Writes a model for onnxruntime with the inputs and outputs of sherpa-onnx's exports with attention: encoder, decoder and tokens in a new
 * folder, which appears when it is complete. Only one weight is in memory at a time.
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
