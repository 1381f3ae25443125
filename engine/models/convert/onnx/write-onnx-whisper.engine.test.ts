import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '#testing/audio.ts'
import { createWeights, writeHuggingFaceFolder, type SmallWhisper, type Tensor } from '#testing/whisper-folder.ts'
import { createOnnxRuntime } from '#engine/onnx/onnx-runtime.ts'
import { readVocabulary } from '#engine/speech/onnx-whisper/vocabulary.ts'
import { createWhisperGraphs, type WhisperGraphs } from '#engine/speech/onnx-whisper/whisper-graphs.ts'
import { openHuggingFaceWhisper } from '../convert-whisper.ts'
import { referenceLogits } from './testing/reference-whisper.ts'
import { onnxWhisperFiles, writeOnnxWhisper } from './write-onnx-whisper.ts'
import type { Precision } from './whisper-layers.ts'

const whisper: SmallWhisper = { vocabulary: 51_865, melBands: 80, audioLayers: 2, textLayers: 2 }
const frames = 200
const tokens = [50_258, 50_259, 50_359, 400, 1000]

/** Returns weights as small as trained ones, so that sums of 64 stay near 1. */
function createSmallWeights(): Map<string, Tensor> {
  const weights = createWeights(whisper)
  for (const [name, tensor] of weights) {
    tensor.values = name.includes('layer_norm.weight') ? tensor.values.fill(1) : tensor.values.map((value) => value / 2)
  }
  return weights
}

describe('a Whisper written for onnxruntime', () => {
  const weights = createSmallWeights()
  let parent: string
  let folder: string
  const spectrogram = randomFloats(80 * frames)

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'awaz-onnx-'))
    const source = join(parent, 'source')
    await writeHuggingFaceFolder(source, whisper, { weights })
    folder = join(parent, 'onnx')
    await writeOnnxWhisper(await openHuggingFaceWhisper(source), folder, { precisions: ['int8', 'float32'] })
  })

  afterAll(() => rm(parent, { recursive: true }))

  async function load(precision: Precision): Promise<WhisperGraphs> {
    const runtime = createOnnxRuntime()
    const names = onnxWhisperFiles[precision]
    const [encoder, decoder] = await Promise.all(
      [names.encoder, names.decoder].map((name) => runtime.loadGraph(join(folder, name), { threads: 1 })),
    )
    if (!encoder || !decoder) throw new Error('Two graphs were loaded')
    return createWhisperGraphs({ encoder, decoder, vocabulary: readVocabulary(encoder.metadata), tensors: runtime })
  }

  async function decode(graphs: WhisperGraphs, parts: number[][]): Promise<Float32Array> {
    const audio = await graphs.encode(spectrogram, frames)
    const session = graphs.startSession(audio)
    let logits = new Float32Array()
    for (const part of parts) logits = new Float32Array(await session.append(part))
    session.release()
    audio.release()
    return logits
  }

  test('computes what the layers of the paper compute', async () => {
    const expected = referenceLogits({ weights, layers: 2, spectrogram, tokens })
    const logits = await decode(await load('float32'), [tokens])
    expect(logits).toHaveLength(whisper.vocabulary)
    expect(largestDifference(logits, expected)).toBeLessThan(2e-3)
  })

  test('continues from its caches as if all tokens came at once', async () => {
    const graphs = await load('float32')
    const whole = await decode(graphs, [tokens])
    const parts = await decode(graphs, [tokens.slice(0, 3), tokens.slice(3, 4), tokens.slice(4)])
    expect(largestDifference(parts, whole)).toBeLessThan(1e-3)
  })

  test.each<Precision>(['float32', 'int8'])(
    'continues several texts at once as each by itself, also where two have the same beginning, in %s',
    async (precision) => {
      const graphs = await load(precision)
      const audio = await graphs.encode(spectrogram, frames)
      const session = graphs.startSession(audio)
      await session.append(tokens)
      await session.advance([0, 0], [500, 600])
      const together = await session.advance([1, 1, 0], [700, 800, 900])
      const endings = [
        [600, 700],
        [600, 800],
        [500, 900],
      ]
      for (const [at, ending] of endings.entries()) {
        const alone = await decode(graphs, [[...tokens, ...ending]])
        expect(largestDifference(together[at] ?? new Float32Array(), alone)).toBeLessThan(1e-3)
      }
      session.release()
      audio.release()
    },
  )

  test('has nearly the same logits with 8-bit integers', async () => {
    const [exact, rounded] = [await decode(await load('float32'), [tokens]), await decode(await load('int8'), [tokens])]
    const size = exact.reduce((sum, value) => sum + value ** 2, 0)
    const error = exact.reduce((sum, value, at) => sum + (value - (rounded[at] ?? 0)) ** 2, 0)
    expect(Math.sqrt(error / size)).toBeLessThan(0.02)
  })

  test('returns the attention of the alignment heads, which adds up to one for each token', async () => {
    const graphs = await load('int8')
    const audio = await graphs.encode(spectrogram, frames)
    const attention = await graphs.attend(audio, tokens)
    // One head in each layer of the upper half.
    expect(attention).toMatchObject({ heads: 1, tokens: tokens.length, positions: frames / 2 })
    for (let token = 0; token < tokens.length; token += 1) {
      const row = attention?.weights.slice((token * frames) / 2, ((token + 1) * frames) / 2) ?? new Float32Array()
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4)
    }
  })
})

function randomFloats(length: number): Float32Array {
  const random = seededRandom(3)
  return Float32Array.from({ length }, () => random() * 2 - 1)
}

function largestDifference(values: Float32Array, expected: Float32Array): number {
  return values.reduce((max, value, at) => Math.max(max, Math.abs(value - (expected[at] ?? 0))), 0)
}
