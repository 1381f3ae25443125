import type { WhisperSource } from '../whisper-source.ts'
import { elementTypes, OnnxGraph } from './onnx-graph.ts'
import type { GraphWeight, ValueInfo } from './onnx-graph.ts'
import { floatWeight, quantizedTable } from './weights.ts'
import { WhisperLayers } from './whisper-layers.ts'
import type { Precision } from './whisper-layers.ts'
import type { OnnxModel } from './write-onnx.ts'

const cacheKinds = ['k', 'v'] as const

/** What all layers of the decoder take besides their own values. */
interface DecoderContext {
  layers: WhisperLayers
  /** Caches without the tokens that are not theirs yet. */
  caches: [keys: string, values: string]
  /** What hides later tokens. */
  mask: string
  queryFactor: number
}

/**
 * Returns the decoder of a Whisper: from `tokens`, the keys and values of the audio and those of the tokens before (`offset` of them) to the
 * logits after the last token, the grown caches, and the attention of the alignment heads, from which words get their times.
 */
export function decoderGraph(source: WhisperSource, precision: Precision): OnnxModel {
  const { sizes, alignmentHeads } = source
  const graph = new OnnxGraph()
  const layers = new WhisperLayers(graph, source, precision)
  const table = addTable(layers)
  const end = graph.add('Add', ['offset', layers.lengthOf('tokens', 1)])
  const positions = layers.floats('decoder.positional_embedding', sizes.textContext, sizes.textState)
  let x = graph.add('Add', [table.embed('tokens'), layers.slice(positions, 'offset', end, 0)])
  const context: DecoderContext = {
    layers,
    caches: [cacheUntilOffset(layers, 'k'), cacheUntilOffset(layers, 'v')],
    mask: addMask(layers, end),
    queryFactor: layers.headSize ** -0.5,
  }
  const grown: Record<'k' | 'v', string[]> = { k: [], v: [] }
  const attention: string[] = []
  for (let layer = 0; layer < sizes.textLayers; layer += 1) {
    const block = `decoder.blocks.${layer}`
    const index = graph.scalar(layer)
    const self = selfAttention(context, x, block, index)
    grown.k.push(self.keys)
    grown.v.push(self.values)
    x = graph.add('Add', [x, self.result])
    const cross = crossAttention(context, x, block, index)
    const heads = alignmentHeads.filter(([at]) => at === layer).map(([, head]) => head)
    if (heads.length > 0) {
      attention.push(graph.add('Gather', [cross.weights, graph.ints(...heads)], { attributes: { axis: 1 } }))
    }
    x = layers.feedForward(graph.add('Add', [x, cross.result]), block)
  }
  // Only the logits of the last token are read.
  const last = layers.slice(x, graph.ints(-1), graph.ints(2 ** 31 - 1), 1)
  table.addLogits(layers.norm(last, 'decoder.ln'))
  for (const kind of cacheKinds) layers.stack(grown[kind], `out_n_layer_self_${kind}_cache`)
  graph.add('Concat', attention, { attributes: { axis: 1 }, name: 'cross_attention_weights' })
  return { graph, inputs: inputsOf(layers), outputs: outputsOf(layers) }
}

/** Adds the table of tokens, the largest weight: it is both the first layer and the last, and kept once. */
function addTable(layers: WhisperLayers): { embed(tokens: string): string; addLogits(x: string): void } {
  const { graph, source, precision } = layers
  const { vocabulary, textState } = source.sizes
  const tensor = layers.tensor('decoder.token_embedding.weight')
  const transpose = (table: string) => graph.add('Transpose', [table], { attributes: { perm: [1, 0] } })
  if (precision === 'float32') {
    const table = graph.weight(floatWeight([{ tensor }], [vocabulary, textState]))
    return {
      embed: (tokens) => graph.add('Gather', [table, tokens]),
      addLogits: (x) => graph.add('MatMul', [x, transpose(table)], { name: 'logits' }),
    }
  }
  const { integers, scales } = quantizedTable(tensor)
  const table = graph.weight(integers)
  const rowScales = graph.weight(scales)
  return {
    embed: (tokens) => {
      const rows = graph.add('Cast', [graph.add('Gather', [table, tokens])], {
        attributes: { to: elementTypes.float32 },
      })
      return graph.add('Mul', [rows, graph.add('Gather', [rowScales, tokens])])
    },
    addLogits: (x) => {
      const columnScales = graph.weight({ ...scales, dims: [vocabulary] })
      layers.multiplyIntegers(x, transpose(table), columnScales, { name: 'logits' })
    },
  }
}

function cacheUntilOffset({ graph }: WhisperLayers, kind: 'k' | 'v'): string {
  return graph.add('Slice', [`in_n_layer_self_${kind}_cache`, graph.ints(0), 'offset', graph.ints(2)])
}

/** Returns what is added to the scores of a token for all others: a row per new token, a column per token up to it. */
function addMask(layers: WhisperLayers, end: string): string {
  const { graph } = layers
  const { textContext } = layers.source.sizes
  const whole = graph.weight(maskWeight(textContext))
  return layers.slice(layers.slice(whole, 'offset', end, 0), graph.ints(0), end, 1)
}

function maskWeight(size: number): GraphWeight {
  const hidden = -1e9
  const mask = Float32Array.from({ length: size * size }, (_, at) => (at % size > Math.floor(at / size) ? hidden : 0))
  return { type: 'float32', dims: [size, size], read: () => [new Uint8Array(mask.buffer)] }
}

function selfAttention(
  { layers, caches, mask, queryFactor }: DecoderContext,
  x: string,
  block: string,
  index: string,
): { result: string; keys: string; values: string } {
  const { graph } = layers
  const { weights, biases } = layers.queryKeyValue(`${block}.attn`, queryFactor)
  const joined = layers.addBias(layers.multiply(layers.norm(x, `${block}.attn_ln`), weights), biases)
  const [query, newKeys, newValues] = layers.splitInThree(joined)
  const grow = (cache: string, added: string) => {
    const before = graph.add('Gather', [cache, index], { attributes: { axis: 0 } })
    return graph.add('Concat', [before, added], { attributes: { axis: 1 } })
  }
  const [keys, values] = [grow(caches[0], newKeys), grow(caches[1], newValues)]
  const scores = graph.add('MatMul', [layers.splitHeads(query), layers.splitHeads(keys, [0, 2, 3, 1])])
  const attention = graph.add('Softmax', [graph.add('Add', [scores, mask])])
  const read = layers.joinHeads(graph.add('MatMul', [attention, layers.splitHeads(values)]))
  return { result: layers.linear(read, `${block}.attn.out`), keys, values }
}

function crossAttention(
  { layers, queryFactor }: DecoderContext,
  x: string,
  block: string,
  index: string,
): { result: string; weights: string } {
  const { graph } = layers
  const ofLayer = (name: string) => graph.add('Gather', [name, index], { attributes: { axis: 0 } })
  const query = layers.linear(layers.norm(x, `${block}.cross_attn_ln`), `${block}.cross_attn.query`, queryFactor)
  const scores = graph.add('MatMul', [layers.splitHeads(query), ofLayer('n_layer_cross_k')])
  const weights = graph.add('Softmax', [scores])
  const read = layers.joinHeads(graph.add('MatMul', [weights, ofLayer('n_layer_cross_v')]))
  return { result: layers.linear(read, `${block}.cross_attn.out`), weights }
}

function inputsOf(layers: WhisperLayers): ValueInfo[] {
  return [
    { name: 'tokens', type: 'int64', dims: ['N', 'n'] },
    ...cacheValueInfos(layers, 'in', 'C'),
    ...layers.crossValueInfos(),
    { name: 'offset', type: 'int64', dims: [1] },
  ]
}

function outputsOf(layers: WhisperLayers): ValueInfo[] {
  const { sizes, alignmentHeads } = layers.source
  return [
    { name: 'logits', type: 'float32', dims: ['N', 1, sizes.vocabulary] },
    ...cacheValueInfos(layers, 'out', 'C2'),
    { name: 'cross_attention_weights', type: 'float32', dims: ['N', alignmentHeads.length, 'n', 'A'] },
  ]
}

function cacheValueInfos({ source }: WhisperLayers, prefix: 'in' | 'out', length: string): ValueInfo[] {
  const dims = [source.sizes.textLayers, 'N', length, source.sizes.textState]
  return cacheKinds.map((kind) => ({ name: `${prefix}_n_layer_self_${kind}_cache`, type: 'float32', dims }))
}
