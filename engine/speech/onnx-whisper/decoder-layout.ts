import type { OnnxGraph } from '#engine/onnx/onnx-runtime.ts'
import type { WhisperVocabulary } from './vocabulary.ts'

/** The names and shapes of the values that the encoder and the decoder pass on. */
export interface DecoderLayout {
  /** Whether each layer has separate audio values and caches. */
  isPerLayer: boolean
  /** The names that the encoder and the decoder use for keys and values of the audio. */
  audioNames: readonly string[]
  /** Names of the self-attention's caches, without `in_` or `out_`. */
  cacheNames: readonly string[]
  /** The axis of texts in a cache. */
  cacheTexts: number
  /** Returns the dims of a cache without tokens, from those in the graph (null is dynamic). */
  emptyCacheDims(dims: readonly (number | null)[], vocabulary: WhisperVocabulary): number[]
}

/** One tensor for all layers, as sherpa-onnx's script exports it: a decoder copies all of it for each token. */
const joined: DecoderLayout = {
  isPerLayer: false,
  audioNames: ['n_layer_cross_k', 'n_layer_cross_v'],
  cacheNames: ['n_layer_self_k_cache', 'n_layer_self_v_cache'],
  cacheTexts: 1,
  // One unused token, or the length fixed by the export.
  emptyCacheDims: (dims, { layers, width }) => [layers, 1, dims[2] ?? 1, width],
}

/** Separate tensors for each layer, as `models import` writes them. */
function perLayer(layers: number): DecoderLayout {
  const names = (prefix: string) =>
    Array.from({ length: layers }, (_, layer) => [`${prefix}_k_${layer}`, `${prefix}_v_${layer}`]).flat()
  return {
    isPerLayer: true,
    audioNames: names('cross'),
    cacheNames: names('self'),
    cacheTexts: 0,
    // Of the two dynamic axes, the first is that of the texts.
    emptyCacheDims: ([, ...dims]) => [1, ...dims.map((dim) => dim ?? 0)],
  }
}

/** Returns the layout of a model, determined from its encoder. */
export function findLayout(encoder: OnnxGraph, { layers }: WhisperVocabulary): DecoderLayout {
  return encoder.outputs.some(({ name }) => name === 'cross_k_0') ? perLayer(layers) : joined
}
