import type { OnnxGraph, OnnxTensor, OnnxTensorInfo } from '#engine/onnx/onnx-runtime.ts'
import type { WhisperVocabulary } from './vocabulary.ts'
import { findLayout } from './decoder-layout.ts'
import type { DecoderLayout } from './decoder-layout.ts'
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

/** The encoded audio of one window: keys and values that the decoder attends to. Must be released. */
export interface EncodedAudio {
  /** By the names that the encoder and the decoder use for them. */
  tensors: Readonly<Record<string, OnnxTensor>>
  release(): void
}

/** Encoder and decoder of a Whisper model in the form written by `models import` or by sherpa-onnx's export script. */
export interface WhisperGraphs {
  /** Encodes a log-mel spectrogram, [bands, frames]. */
  encode(spectrogram: Float32Array, frames: number): Promise<EncodedAudio>
  /** Starts a text. */
  startSession(audio: EncodedAudio): DecoderSession
  /** Returns the alignment heads' attention to the audio, [heads, tokens, positions]; undefined for exports without it. */
  attend(audio: EncodedAudio, tokens: readonly number[]): Promise<CrossAttention | undefined>
}

export interface CrossAttention {
  weights: Float32Array
  heads: number
  tokens: number
  positions: number
}

/** Texts that are decoded in parallel, initially only one. Must be released. */
export interface DecoderSession extends Pick<HypothesisDecoder, 'advance'> {
  /** Appends tokens to the only text; returns the logits of the next token, which are overwritten when the text continues. */
  append(tokens: readonly number[]): Promise<Float32Array>
  /** Returns another session that continues from the current state of the only text; it must be released as well. */
  fork(): DecoderSession
  release(): void
}

const logitsName = 'logits'
const attentionName = 'cross_attention_weights'

interface DecoderContext {
  decoder: OnnxGraph
  vocabulary: WhisperVocabulary
  tensors: TensorFactory
  layout: DecoderLayout
}

/** Throws if a graph's inputs or outputs are not those of the encoder or the decoder of a Whisper model. */
export function createWhisperGraphs({ encoder, decoder, vocabulary, tensors }: GraphsOptions): WhisperGraphs {
  const layout = findLayout(encoder, vocabulary)
  const { audioNames, cacheNames } = layout
  assertPlaces('encoder', encoder, { inputs: ['mel'], outputs: audioNames })
  assertPlaces('decoder', decoder, {
    inputs: ['tokens', ...cacheNames.map((name) => `in_${name}`), ...audioNames, 'offset'],
    outputs: [logitsName, ...cacheNames.map((name) => `out_${name}`)],
  })
  const context: DecoderContext = { decoder, vocabulary, tensors, layout }
  return {
    encode: async (spectrogram, frames) => {
      const mel = tensors.floatTensor(spectrogram, [1, vocabulary.bands, frames])
      try {
        const outputs = await encoder.run({ mel }, audioNames)
        return { tensors: nameTensors(audioNames, outputs), release: () => releaseAll(outputs) }
      } finally {
        mel.release()
      }
    },
    startSession: (audio) => startSession(audio, context),
    attend: (audio, tokens) => attend(audio, tokens, context),
  }
}

function startSession(
  audio: EncodedAudio,
  context: DecoderContext,
  from: { caches: OnnxTensor[]; length: number } = { caches: emptyCaches(context), length: 0 },
): DecoderSession {
  const { decoder, tensors, layout } = context
  const outputNames = [logitsName, ...layout.cacheNames.map((name) => `out_${name}`)]
  const shared = shareAudio(audio, context)
  let { caches, length } = from
  // Each text and token has a vocabulary of 50,000 logits: a new array for each would keep the garbage collector busy.
  let rows = new Float32Array()

  async function run(tokens: readonly number[], sources: readonly number[]): Promise<Float32Array[]> {
    const texts = sources.length
    const perText = tokens.length / texts
    const numbers = tensors.intTensor(tokens, [texts, perText])
    const offset = tensors.intTensor([length], [1])
    const sourceNumbers = tensors.intTensor(sources, [texts])
    try {
      const inputs = inputsOf(
        { tokens: numbers, caches, audio: shared.of(texts), offset, sources: sourceNumbers },
        context,
      )
      const [logits, ...next] = await decoder.run(inputs, outputNames)
      releaseAll(caches)
      caches = next
      length += perText
      if (!logits) throw new Error('The decoder returned nothing')
      const count = logits.dims.reduce((product, dim) => product * dim, 1)
      if (rows.length !== count) rows = new Float32Array(count)
      return lastRows(logits, rows)
    } finally {
      releaseAll([numbers, offset, sourceNumbers])
    }
  }

  return {
    append: async (tokens) => {
      const [row] = await run(tokens, [0])
      if (!row) throw new Error('The decoder returned nothing')
      return row
    },
    advance: async (sources, tokens) => {
      if (selectsCaches(context)) return run(tokens, sources)
      const isSame =
        sources.length === caches[0]?.dims[layout.cacheTexts] && sources.every((source, index) => source === index)
      if (!isSame) {
        const selected = caches.map((cache) => cache.select(layout.cacheTexts, sources))
        releaseAll(caches)
        caches = selected
      }
      return run(tokens, sources)
    },
    fork: () => {
      const copies = caches.map((cache) => cache.select(layout.cacheTexts, [0]))
      return startSession(audio, context, { caches: copies, length })
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
  const sources = tensors.intTensor([0], [1])
  try {
    const inputs = inputsOf({ tokens: numbers, caches, audio: audio.tensors, offset, sources }, context)
    const [weights] = await decoder.run(inputs, [attentionName])
    if (!weights) return undefined
    const [, heads = 0, , positions = 0] = weights.dims
    const attention = { weights: weights.read(), heads, tokens: tokens.length, positions }
    weights.release()
    return attention
  } finally {
    releaseAll([...caches, numbers, offset, sources])
  }
}

type AudioTensors = EncodedAudio['tensors']

/**
 * Returns the audio for any number of texts. Exports of sherpa-onnx's script need it once per text; audio with separate heads is multiplied
 * with all texts and needed only once.
 */
function shareAudio(
  audio: EncodedAudio,
  { decoder, layout }: DecoderContext,
): { of(texts: number): AudioTensors; release(): void } {
  const firstInput = decoder.inputs.find(({ name }) => name === layout.audioNames[0])
  const isShared = layout.isPerLayer || firstInput?.dims.length === 5
  let copies: { count: number; tensors: AudioTensors } | undefined
  const release = () => {
    if (copies) releaseAll(Object.values(copies.tensors))
    copies = undefined
  }
  return {
    of: (texts) => {
      if (isShared || texts === 1) return audio.tensors
      if (copies?.count === texts) return copies.tensors
      release()
      const indices = Array.from({ length: texts }, () => 0)
      const selected = Object.entries(audio.tensors).map(([name, tensor]) => [name, tensor.select(1, indices)] as const)
      copies = { count: texts, tensors: Object.fromEntries(selected) }
      return copies.tensors
    },
    release,
  }
}

/** Returns self-attention caches without tokens. */
function emptyCaches({ decoder, vocabulary, tensors, layout }: DecoderContext): OnnxTensor[] {
  return layout.cacheNames.map((name) => {
    const dims = layout.emptyCacheDims(
      decoder.inputs.find((input) => input.name === `in_${name}`)?.dims ?? [],
      vocabulary,
    )
    return tensors.floatTensor(new Float32Array(dims.reduce((product, dim) => product * dim, 1)), dims)
  })
}

interface DecoderInputs {
  tokens: OnnxTensor
  caches: readonly OnnxTensor[]
  audio: AudioTensors
  offset: OnnxTensor
  /** For each text, the index of the cache that it continues. */
  sources: OnnxTensor
}

/** Whether the decoder itself selects the caches of the continued texts. Otherwise they are copied into the order of the texts. */
function selectsCaches({ decoder }: Pick<DecoderContext, 'decoder'>): boolean {
  return decoder.inputs.some(({ name }) => name === 'sources')
}

function inputsOf(
  { tokens, caches, audio, offset, sources }: DecoderInputs,
  context: DecoderContext,
): Record<string, OnnxTensor> {
  return {
    tokens,
    ...nameTensors(
      context.layout.cacheNames.map((name) => `in_${name}`),
      caches,
    ),
    ...audio,
    offset,
    ...(selectsCaches(context) && { sources }),
  }
}

function nameTensors(names: readonly string[], tensors: readonly OnnxTensor[]): Record<string, OnnxTensor> {
  return Object.fromEntries(
    names.map((name, at) => {
      const tensor = tensors[at]
      if (!tensor) throw new Error(`There is no ${name}`)
      return [name, tensor]
    }),
  )
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

/** Reads logits, [texts, tokens or 1, vocabulary], into `all` and releases them; returns its parts after the last token of each text. */
function lastRows(logits: OnnxTensor, all: Float32Array<ArrayBuffer>): Float32Array[] {
  const [texts = 0, tokens = 0, size = 0] = logits.dims
  logits.read(all)
  logits.release()
  return Array.from({ length: texts }, (_, text) => {
    const end = (text + 1) * tokens * size
    return all.subarray(end - size, end)
  })
}

function releaseAll(tensors: readonly OnnxTensor[]): void {
  for (const tensor of tensors) tensor.release()
}
