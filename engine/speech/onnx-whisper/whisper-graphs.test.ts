import { expect, test } from 'vitest'
import type { OnnxGraph } from '#engine/onnx/onnx-runtime.ts'
import { toyWhisperMetadata } from './testing/metadata.ts'
import { readVocabulary } from './vocabulary.ts'
import { createWhisperGraphs } from './whisper-graphs.ts'

/** Returns a graph with these inputs and outputs; it is never run. */
function graph(inputs: string[], outputs: string[]): OnnxGraph {
  const places = (names: string[]) => names.map((name) => ({ name, dims: [null] }))
  const run = () => Promise.reject(new Error('It is never run'))
  return { inputs: places(inputs), outputs: places(outputs), metadata: {}, run, release: () => {} }
}

const encoder = graph(['mel'], ['n_layer_cross_k', 'n_layer_cross_v'])
const tensors = {
  floatTensor: () => {
    throw new Error('No tensor is needed')
  },
  intTensor: () => {
    throw new Error('No tensor is needed')
  },
}

function create(graphs: { encoder: OnnxGraph; decoder: OnnxGraph }) {
  return createWhisperGraphs({ ...graphs, vocabulary: readVocabulary(toyWhisperMetadata()), tensors })
}

test('an encoder as decoder is refused with the names that it lacks', () => {
  expect(() => create({ encoder, decoder: encoder })).toThrow(
    'The decoder has no tokens, in_n_layer_self_k_cache, in_n_layer_self_v_cache, n_layer_cross_k, n_layer_cross_v, offset, logits',
  )
})

test('a graph that is no encoder is refused with the names that it lacks', () => {
  const detector = graph(['mel', 'n_layer_cross_k'], ['probability'])
  expect(() => create({ encoder: detector, decoder: encoder })).toThrow(
    'The encoder has no n_layer_cross_k, n_layer_cross_v',
  )
})

test('a model with its layers apart is recognized by its encoder, and refused with the names that its decoder lacks', () => {
  const layers = graph(['mel'], ['cross_k_0', 'cross_v_0', 'cross_k_1', 'cross_v_1'])
  expect(() => create({ encoder: layers, decoder: graph(['tokens', 'offset'], ['logits']) })).toThrow(
    /^The decoder has no in_self_k_0, in_self_v_0, .*cross_k_0, cross_v_0, .*out_self_k_0, out_self_v_0/u,
  )
})
