import type { WhisperSource } from '../whisper-source.ts'
import { OnnxGraph } from './onnx-graph.ts'
import { WhisperLayers } from './whisper-layers.ts'
import type { Precision } from './whisper-layers.ts'
import type { OnnxModel } from './write-onnx.ts'

/**
 * Returns the encoder of a Whisper: from a log-mel spectrogram (`mel`, [audios, bands, frames]) of any length up to 30 s to the keys and values
 * that the decoder attends to.
 */
export function encoderGraph(source: WhisperSource, precision: Precision): OnnxModel {
  const { audioContext, audioState, audioLayers, melBands } = source.sizes
  const graph = new OnnxGraph()
  const layers = new WhisperLayers(graph, source, precision)
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
  const { weights, biases } = layers.queryKeyValue(`${block}.attn`)
  const joined = layers.multiply(layers.norm(x, `${block}.attn_ln`), weights)
  const inputs = [...layers.splitInThree(joined), layers.bias(biases)]
  const attributes = { num_heads: layers.source.sizes.audioHeads }
  return layers.linear(layers.graph.add('MultiHeadAttention', inputs, { attributes }), `${block}.attn.out`)
}

/** An output per layer, in the layout in which the decoder multiplies: it would copy all of a joined one for each token. */
function addCrossValues(layers: WhisperLayers, x: string): void {
  for (let layer = 0; layer < layers.source.sizes.textLayers; layer += 1) {
    const block = `decoder.blocks.${layer}.cross_attn`
    const keys = layers.multiply(x, [{ tensor: layers.tensor(`${block}.key.weight`) }])
    layers.splitHeads(keys, { perm: [0, 2, 3, 1], name: layers.crossName('k', layer) })
    layers.splitHeads(layers.linear(x, `${block}.value`), { name: layers.crossName('v', layer) })
  }
}
