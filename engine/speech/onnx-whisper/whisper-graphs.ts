import type { OnnxGraph, OnnxTensor, OnnxTensorInfo } from '#engine/onnx/onnx-runtime.ts'
import type { WhisperVocabulary } from './vocabulary.ts'
import type { HypothesisDecoder } from './search-hypotheses.ts'

interface TensorFactory {
  floatTensor(data: Float32Array, dims: readonly number[]): OnnxTensor
  intTensor(data: readonly number[], dims: readonly number[]): OnnxTensor
}

interface GraphsOptions {
  encoder: OnnxGraph
  decoder: OnnxGraph
  vocabulary: WhisperVocabulary
  tensors: TensorFactory
}

/** The audio of one window, encoded: keys and values that the decoder attends to. Must be released. */
export interface EncodedAudio {
  keys: OnnxTensor
  values: OnnxTensor
  release(): void
}

/** Encoder and decoder of a Whisper model in the form that sherpa-onnx's export script gives them. */
export interface WhisperGraphs {
  /** Encodes a log-mel spectrogram, [bands, frames]. */
  encode(spectrogram: Float32Array, frames: number): Promise<EncodedAudio>
  /** Starts a text. */
  startSession(audio: EncodedAudio): DecoderSession
  /** Returns the attention of alignment heads to the audio, [heads, tokens, positions]; undefined for exports without it. */
  attend(audio: EncodedAudio, tokens: readonly number[]): Promise<CrossAttention | undefined>
}

export interface CrossAttention {
  weights: Float32Array
  heads: number
  tokens: number
  positions: number
}

/** Texts that are being decoded in parallel, one at first. Must be released. */
export interface DecoderSession extends Pick<HypothesisDecoder, 'advance'> {
  /** Appends tokens to the only text; returns the logits of the next token. */
  append(tokens: readonly number[]): Promise<Float32Array>
  release(): void
}

const keysName = 'n_layer_cross_k'
const valuesName = 'n_layer_cross_v'
const logitsName = 'logits'
const attentionName = 'cross_attention_weights'
const cacheNames = ['n_layer_self_k_cache', 'n_layer_self_v_cache'] as const
const outputNames = [logitsName, ...cacheNames.map((name) => `out_${name}`)]
const inputNames = ['tokens', ...cacheNames.map((name) => `in_${name}`), keysName, valuesName, 'offset']

interface DecoderContext {
  decoder: OnnxGraph
  vocabulary: WhisperVocabulary
  tensors: TensorFactory
}

/** Throws if a graph has other inputs or outputs than the encoder or the decoder of a Whisper model. */
export function createWhisperGraphs({ encoder, decoder, vocabulary, tensors }: GraphsOptions): WhisperGraphs {
  assertPlaces('encoder', encoder, { inputs: ['mel'], outputs: [keysName, valuesName] })
  assertPlaces('decoder', decoder, { inputs: inputNames, outputs: outputNames })
  const context: DecoderContext = { decoder, vocabulary, tensors }
  return {
    encode: async (spectrogram, frames) => {
      const mel = tensors.floatTensor(spectrogram, [1, vocabulary.bands, frames])
      try {
        const [keys, values] = await encoder.run({ mel }, [keysName, valuesName])
        if (!keys || !values) throw new Error('The encoder returned nothing')
        return { keys, values, release: () => releaseAll([keys, values]) }
      } finally {
        mel.release()
      }
    },
    startSession: (audio) => startSession(audio, context),
    attend: (audio, tokens) => attend(audio, tokens, context),
  }
}

function startSession(audio: EncodedAudio, context: DecoderContext): DecoderSession {
  const { decoder, tensors } = context
  const shared = shareAudio(audio, decoder)
  let caches = emptyCaches(context)
  let length = 0

  async function run(tokens: readonly number[], texts: number): Promise<Float32Array[]> {
    const perText = tokens.length / texts
    const numbers = tensors.intTensor(tokens, [texts, perText])
    const offset = tensors.intTensor([length], [1])
    try {
      const inputs = inputsOf({ tokens: numbers, caches, audio: shared.of(texts), offset })
      const [logits, ...next] = await decoder.run(inputs, outputNames)
      releaseAll(caches)
      caches = next
      length += perText
      if (!logits) throw new Error('The decoder returned nothing')
      return lastRows(logits)
    } finally {
      releaseAll([numbers, offset])
    }
  }

  return {
    append: async (tokens) => {
      const [row] = await run(tokens, 1)
      if (!row) throw new Error('The decoder returned nothing')
      return row
    },
    advance: async (sources, tokens) => {
      const isSame = sources.length === caches[0]?.dims[1] && sources.every((source, index) => source === index)
      if (!isSame) {
        const selected = caches.map((cache) => cache.select(1, sources))
        releaseAll(caches)
        caches = selected
      }
      return run(tokens, tokens.length)
    },
    release: () => {
      releaseAll(caches)
      caches = []
      shared.release()
    },
  }
}

async function attend(
  audio: EncodedAudio,
  tokens: readonly number[],
  context: DecoderContext,
): Promise<CrossAttention | undefined> {
  const { decoder, tensors } = context
  if (!decoder.outputs.some(({ name }) => name === attentionName)) return undefined
  const caches = emptyCaches(context)
  const numbers = tensors.intTensor(tokens, [1, tokens.length])
  const offset = tensors.intTensor([0], [1])
  try {
    const [weights] = await decoder.run(inputsOf({ tokens: numbers, caches, audio, offset }), [attentionName])
    if (!weights) return undefined
    const [, heads = 0, , positions = 0] = weights.dims
    const attention = { weights: weights.read(), heads, tokens: tokens.length, positions }
    weights.release()
    return attention
  } finally {
    releaseAll([...caches, numbers, offset])
  }
}

type AudioTensors = Pick<EncodedAudio, 'keys' | 'values'>

/**
 * Returns the audio for any number of texts. Exports of sherpa-onnx's script need it once per text; in the layout with separate heads, of five
 * axes, one is multiplied with all texts.
 */
function shareAudio(audio: EncodedAudio, decoder: OnnxGraph): { of(texts: number): AudioTensors; release(): void } {
  const isShared = decoder.inputs.find(({ name }) => name === keysName)?.dims.length === 5
  let copies: { count: number; keys: OnnxTensor; values: OnnxTensor } | undefined
  const release = () => {
    if (copies) releaseAll([copies.keys, copies.values])
    copies = undefined
  }
  return {
    of: (texts) => {
      if (isShared || texts === 1) return audio
      if (copies?.count === texts) return copies
      release()
      const indices = Array.from({ length: texts }, () => 0)
      copies = { count: texts, keys: audio.keys.select(1, indices), values: audio.values.select(1, indices) }
      return copies
    },
    release,
  }
}

/** Returns self-attention caches without tokens: of one unused token, or of the length that the export fixed. */
function emptyCaches({ decoder, vocabulary, tensors }: DecoderContext): OnnxTensor[] {
  const length = decoder.inputs.find(({ name }) => name === `in_${cacheNames[0]}`)?.dims[2] ?? 1
  const dims = [vocabulary.layers, 1, length, vocabulary.width]
  return cacheNames.map(() =>
    tensors.floatTensor(new Float32Array(vocabulary.layers * length * vocabulary.width), dims),
  )
}

interface DecoderInputs {
  tokens: OnnxTensor
  caches: readonly OnnxTensor[]
  audio: AudioTensors
  offset: OnnxTensor
}

function inputsOf({ tokens, caches, audio, offset }: DecoderInputs): Record<string, OnnxTensor> {
  const [keyCache, valueCache] = caches
  if (!keyCache || !valueCache) throw new Error('The text was released')
  return {
    tokens,
    [`in_${cacheNames[0]}`]: keyCache,
    [`in_${cacheNames[1]}`]: valueCache,
    [keysName]: audio.keys,
    [valuesName]: audio.values,
    offset,
  }
}

function assertPlaces(
  role: string,
  graph: OnnxGraph,
  { inputs, outputs }: { inputs: readonly string[]; outputs: readonly string[] },
): void {
  const hasName = (places: readonly OnnxTensorInfo[], name: string) => places.some((place) => place.name === name)
  const missing = [
    ...inputs.filter((name) => !hasName(graph.inputs, name)),
    ...outputs.filter((name) => !hasName(graph.outputs, name)),
  ]
  if (missing.length > 0) throw new Error(`The ${role} has no ${missing.join(', ')}`)
}

/** Reads and releases logits, [texts, tokens or 1, vocabulary]; returns those after the last token of each text. */
function lastRows(logits: OnnxTensor): Float32Array[] {
  const [texts = 0, tokens = 0, size = 0] = logits.dims
  const all = logits.read()
  logits.release()
  return Array.from({ length: texts }, (_, text) => {
    const end = (text + 1) * tokens * size
    return all.subarray(end - size, end)
  })
}

function releaseAll(tensors: readonly OnnxTensor[]): void {
  for (const tensor of tensors) tensor.release()
}
