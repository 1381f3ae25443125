import type { OnnxGraph } from '#engine/onnx/onnx-runtime.ts'
import type { WhisperVocabulary } from './vocabulary.ts'

/** The names and the shapes of what encoder and decoder hand over. */
export interface DecoderLayout {
  /** Whether each layer has its own audio and caches. */
  isPerLayer: boolean
  /** Keys and values of the audio, by which encoder and decoder name them. */
  audioNames: readonly string[]
  /** Caches of the self-attention, without `in_` or `out_`. */
  cacheNames: readonly string[]
  /** The axis of texts in a cache. */
  cacheTexts: number
  /** Returns the dims of a cache without tokens, from those that the graph names (null: dynamic). */
  emptyCacheDims(dims: readonly (number | null)[], vocabulary: WhisperVocabulary): number[]
}

/** Joined over all layers, as sherpa-onnx's script exports it: a decoder copies all of it for each token. */
const joined: DecoderLayout = {
  isPerLayer: false,
  audioNames: ['n_layer_cross_k', 'n_layer_cross_v'],
  cacheNames: ['n_layer_self_k_cache', 'n_layer_self_v_cache'],
  cacheTexts: 1,
  // One unused token, or the length that the export fixed.
  emptyCacheDims: (dims, { layers, width }) => [layers, 1, dims[2] ?? 1, width],
}

/** Each layer by itself, as `models import` writes it. */
function perLayer(layers: number): DecoderLayout {
  const names = (prefix: string) =>
    Array.from({ length: layers }, (_, layer) => [`${prefix}_k_${layer}`, `${prefix}_v_${layer}`]).flat()
  return {
    isPerLayer: true,
    audioNames: names('cross'),
    cacheNames: names('self'),
    cacheTexts: 0,
    // Of the two axes that are dynamic, the first is that of texts.
    emptyCacheDims: ([, ...dims]) => [1, ...dims.map((dim) => dim ?? 0)],
  }
}

/** Returns the layout of a model by its encoder. */
export function findLayout(encoder: OnnxGraph, { layers }: WhisperVocabulary): DecoderLayout {
  return encoder.outputs.some(({ name }) => name === 'cross_k_0') ? perLayer(layers) : joined
}
