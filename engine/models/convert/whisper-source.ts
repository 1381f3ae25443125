import type { AlignmentHead } from './alignment-heads.ts'
import { notConvertible } from './conversion-error.ts'
import type { StoredTensor } from './stored-tensor.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

/** A Whisper model in a folder or file: everything that other formats need, without its weights being read yet. */
export interface WhisperSource {
  sizes: WhisperSizes
  /** Bytes of the text tokens by id. */
  words: Buffer[]
  /** By name in ggml files, one for each tensor of `listWhisperTensors` and with its shape. */
  tensors: Map<string, StoredTensor>
  /** Heads from which words get their times, in ascending order. */
  alignmentHeads: readonly AlignmentHead[]
}

/** English-only models, models up to large-v2, and large-v3: whisper.cpp derives the ids of all special tokens from these sizes. */
const vocabularySizes = [51_864, 51_865, 51_866]
/** The largest Whisper has 32. */
const maxLayers = 100

/**
 * Throws `model_unavailable` for sizes that whisper.cpp cannot run: it would abort, or mistake other tokens for languages and times.
 */
export function requireWhisperSizes(sizes: WhisperSizes, folder: string): void {
  const problem = findProblem(sizes)
  if (problem === undefined) return
  throw notConvertible(
    `The model in ${folder} ${problem}.`,
    'whisper.cpp runs only models with the sizes and tokens of OpenAI’s Whisper: check that this is one, or get it from its source again.',
  )
}

function findProblem(sizes: WhisperSizes): string | undefined {
  const { audioHeads, audioLayers, audioState, melBands, textHeads, textLayers, textState, vocabulary } = sizes
  if (!vocabularySizes.includes(vocabulary)) {
    return `has ${vocabulary} tokens, where a Whisper has ${vocabularySizes.join(', ')}`
  }
  const layers = Math.max(audioLayers, textLayers)
  if (layers > maxLayers) return `has ${layers} layers, where a Whisper has ${maxLayers} at most`
  if (melBands !== 80 && melBands !== 128) return `takes ${melBands} mel bands, where a Whisper takes 80 or 128`
  if (audioState !== textState) return `has an encoder of ${audioState} and a decoder of ${textState} values a position`
  // 64 values per head; weights are quantized in rows of 32.
  if (audioHeads * 64 !== audioState || textHeads * 64 !== textState) {
    return `has ${audioHeads} attention heads for ${audioState} values a position, where a Whisper has one for 64`
  }
  return undefined
}
