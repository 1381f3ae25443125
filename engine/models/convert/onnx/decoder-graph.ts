import type { WhisperSource } from '../whisper-source.ts'
import { elementTypes, OnnxGraph } from './onnx-graph.ts'
import type { ValueInfo } from './onnx-graph.ts'
import { floatWeight, quantizedTable } from './weights.ts'
import { WhisperLayers } from './whisper-layers.ts'
import type { Precision } from './whisper-layers.ts'
import type { OnnxModel } from './write-onnx.ts'

const cacheKinds = ['k', 'v'] as const

/** The inputs that all layers of the decoder share. */
interface DecoderContext {
  layers: WhisperLayers
  queryFactor: number
}

/**
 * Returns the decoder of a Whisper. It takes `tokens`, the keys and values of the audio and those of the preceding `offset` tokens (each
 * text continues the one given in `sources`), and returns the logits after the last token, the grown caches, and the attention of the
 * alignment heads, from which words get their times.
 */
export function decoderGraph(source: WhisperSource, precision: Precision): OnnxModel {
  const { sizes, alignmentHeads } = source
  const graph = new OnnxGraph()
  const layers = new WhisperLayers(graph, source, { precision, hasFewRows: true })
  const table = addTable(layers)
  const end = graph.add('Add', ['offset', layers.lengthOf('tokens', 1)])
  const positions = layers.floats('decoder.positional_embedding', sizes.textContext, sizes.textState)
  let x = graph.add('Add', [table.embed('tokens'), layers.slice(positions, 'offset', end, 0)])
  const context: DecoderContext = {
    layers,
    queryFactor: layers.headSize ** -0.5,
  }
  const attention: string[] = []
  for (let layer = 0; layer < sizes.textLayers; layer += 1) {
    x = graph.add('Add', [x, selfAttention(context, x, layer)])
    const cross = crossAttention(context, x, layer)
    const heads = alignmentHeads.filter(([at]) => at === layer).map(([, head]) => head)
    if (heads.length > 0) {
      attention.push(graph.add('Gather', [cross.weights, graph.ints(...heads)], { attributes: { axis: 1 } }))
    }
    x = layers.feedForward(graph.add('Add', [x, cross.result]), `decoder.blocks.${layer}`)
  }
  // Only the logits of the last token are read.
  const last = layers.slice(x, graph.ints(-1), graph.ints(2 ** 31 - 1), 1)
  table.addLogits(layers.norm(last, 'decoder.ln'))
  graph.add('Concat', attention, { attributes: { axis: 1 }, name: 'cross_attention_weights' })
  return { graph, inputs: inputsOf(layers), outputs: outputsOf(layers) }
}

/** Adds the token table, the largest weight, which is stored once and used as both the first and the last layer. */
function addTable(layers: WhisperLayers): { embed(tokens: string): string; addLogits(x: string): void } {
  const { graph, source, precision } = layers
  const { vocabulary, textState } = source.sizes
  const tensor = layers.tensor('decoder.token_embedding.weight')
  if (precision === 'float32') {
    const table = graph.weight(floatWeight([{ tensor }], [vocabulary, textState]))
    return {
      embed: (tokens) => graph.add('Gather', [table, tokens]),
      addLogits: (x) => {
        const columns = graph.add('Transpose', [table], { attributes: { perm: [1, 0] } })
        graph.add('MatMul', [x, columns], { name: 'logits' })
      },
    }
  }
  const { integers, scales, sums } = quantizedTable([{ tensor }])
  const table = graph.weight(integers)
  const rowScales = graph.weight({ ...scales, dims: [vocabulary, 1] })
  return {
    embed: (tokens) => {
      const rows = graph.add('Cast', [graph.add('Gather', [table, tokens])], {
        attributes: { to: elementTypes.float32 },
      })
      return graph.add('Mul', [rows, graph.add('Gather', [rowScales, tokens])])
    },
    addLogits: (x) => {
      layers.multiplyIntegers(x, { integers: table, scales, sums }, { name: 'logits' })
    },
  }
}

function selfAttention({ layers, queryFactor }: DecoderContext, x: string, layer: number): string {
  const block = `decoder.blocks.${layer}`
  const { weights, biases } = layers.queryKeyValue(`${block}.attn`, queryFactor)
  const joined = layers.multiply(layers.norm(x, `${block}.attn_ln`), weights, biases)
  const inputs = [joined, ...cacheKinds.map((kind) => cacheName('in', kind, layer)), 'sources']
  const [keys, values] = cacheKinds.map((kind) => cacheName('out', kind, layer))
  const names: [string, string, string] = [`${joined}_read`, keys ?? '', values ?? '']
  const [read] = layers.graph.addWithThreeOutputs('SelfAttention', inputs, { names })
  return layers.linear(read, `${block}.attn.out`)
}

/** Adds the attention to the audio, which all texts share: it is read once for all of them. */
function crossAttention(
  { layers, queryFactor }: DecoderContext,
  x: string,
  layer: number,
): { result: string; weights: string } {
  const block = `decoder.blocks.${layer}`
  const query = layers.linear(layers.norm(x, `${block}.cross_attn_ln`), `${block}.cross_attn.query`, queryFactor)
  const inputs = [query, layers.crossName('k', layer), layers.crossName('v', layer)]
  const [read, weights] = layers.graph.addWithTwoOutputs('CrossAttention', inputs)
  return { result: layers.linear(read, `${block}.cross_attn.out`), weights }
}

function cacheName(prefix: 'in' | 'out', kind: 'k' | 'v', layer: number): string {
  return `${prefix}_self_${kind}_${layer}`
}

function inputsOf(layers: WhisperLayers): ValueInfo[] {
  return [
    { name: 'tokens', type: 'int64', dims: ['N', 'n'] },
    ...cacheValueInfos(layers, 'in', 'C'),
    ...layers.crossValueInfos().map(({ dims, ...info }) => ({ ...info, dims: [1, ...dims.slice(1)] })),
    { name: 'offset', type: 'int64', dims: [1] },
    { name: 'sources', type: 'int64', dims: ['N'] },
  ]
}

function outputsOf(layers: WhisperLayers): ValueInfo[] {
  const { sizes, alignmentHeads } = layers.source
  return [
    { name: 'logits', type: 'float32', dims: ['N', 1, sizes.vocabulary] },
    ...cacheValueInfos(layers, 'out', 'C2'),
    { name: 'cross_attention_weights', type: 'float32', dims: [1, alignmentHeads.length, 'Nn', 'A'] },
  ]
}

function cacheValueInfos({ source, headSize }: WhisperLayers, prefix: 'in' | 'out', length: string): ValueInfo[] {
  const { audioHeads, textLayers } = source.sizes
  const texts = prefix === 'in' ? 'pasts' : 'N'
  const dims = { k: [texts, audioHeads, headSize, length], v: [texts, audioHeads, length, headSize] }
  return Array.from({ length: textLayers }, (_, layer) =>
    cacheKinds.map((kind): ValueInfo => ({ name: cacheName(prefix, kind, layer), type: 'float32', dims: dims[kind] })),
  ).flat()
}
