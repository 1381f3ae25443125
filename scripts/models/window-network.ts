import { OnnxGraph } from '#engine/models/convert/onnx/onnx-graph.ts'
import type { OnnxModel } from '#engine/models/convert/onnx/write-onnx.ts'
import { readBranchConstants } from './read-branch-constants.ts'

/** Frames of a window of 576 samples, padded by reflection: 256 samples each, 128 apart. */
const frameCount = 4
const frameSamples = 256
const bins = 129
const hiddenSize = 128

interface Layer {
  inputs: number
  outputs: number
  /** Number of positions in its input. */
  length: number
  stride: number
}

/** Layers of the encoder: convolutions with three taps and one position of padding at either end. */
const layers: Layer[] = [
  { inputs: bins, outputs: 128, length: frameCount, stride: 1 },
  { inputs: 128, outputs: 64, length: 4, stride: 2 },
  { inputs: 64, outputs: 64, length: 2, stride: 2 },
  { inputs: 64, outputs: 128, length: 1, stride: 1 },
]

/**
 * Returns Silero VAD version 5 for 16 kHz as a network that classifies many windows of several streams in one run, with the same weights:
 * all windows pass through the encoder in one matrix product per layer; only the LSTM takes them one after the other. `original` is the
 * authors' file.
 */
export function buildWindowNetwork(original: Uint8Array): OnnxModel {
  const constants = readBranchConstants(original, 'then_branch')
  const graph = new OnnxGraph()

  function constant(name: string, length: number): Float32Array {
    const found = constants.get(`If_0_then_branch__Inline_0__${name}`)
    if (found?.length !== length) throw new Error(`Expected ${length} numbers in ${name}, not ${found?.length}`)
    return found
  }

  function weight(values: Float32Array, ...dims: number[]): string {
    return graph.weight({ type: 'float32', dims, read: () => [new Uint8Array(values.buffer)] })
  }

  /** Adds the magnitudes of the spectra of all frames: one row per window. */
  function addSpectra(): string {
    const basis = transpose(constant('stft.forward_basis_buffer', 2 * bins * frameSamples), frameSamples)
    const parts = graph.add('MatMul', ['frames', weight(basis, frameSamples, 2 * bins)])
    const squares = graph.add('Mul', [parts, parts])
    const sums = graph.add('ReduceSum', [graph.add('Reshape', [squares, graph.ints(-1, 2, bins)]), graph.ints(1)])
    return graph.add('Reshape', [graph.add('Sqrt', [sums]), graph.ints(-1, frameCount * bins)])
  }

  function addLayer(input: string, layer: Layer, index: number): string {
    const name = `encoder.${index}.reparam_conv`
    const taps = constant(`${name}.weight`, layer.outputs * layer.inputs * 3)
    const bias = repeat(constant(`${name}.bias`, layer.outputs), outputLength(layer))
    const matrix = weight(toMatrix(taps, layer), layer.length * layer.inputs, bias.length)
    return graph.add('Relu', [graph.add('Gemm', [input, matrix, weight(bias, bias.length)])])
  }

  /** Adds the LSTM: one step per window, all streams at once. */
  function addMemory(input: string): string {
    const shape = graph.add('Concat', [graph.ints(-1), 'streams', graph.ints(hiddenSize)], { attributes: { axis: 0 } })
    const matrices = ['weight_ih', 'weight_hh'].map((name) => {
      const values = reorderGates(constant(`decoder.rnn.${name}`, 4 * hiddenSize * hiddenSize))
      return weight(values, 1, 4 * hiddenSize, hiddenSize)
    })
    const biases = ['bias_ih', 'bias_hh'].flatMap((name) => [
      ...reorderGates(constant(`decoder.rnn.${name}`, 4 * hiddenSize)),
    ])
    const steps = graph.add('Reshape', [input, shape])
    const inputs = [steps, ...matrices, weight(Float32Array.from(biases), 1, 8 * hiddenSize), '', 'hidden', 'cell']
    const [states] = graph.addWithThreeOutputs('LSTM', inputs, {
      attributes: { hidden_size: hiddenSize },
      names: ['states', 'next_hidden', 'next_cell'],
    })
    return graph.add('Squeeze', [states, graph.ints(1)])
  }

  const encoded = layers.reduce(addLayer, addSpectra())
  const states = graph.add('Relu', [addMemory(encoded)])
  const sum = graph.add('MatMul', [states, weight(constant('decoder.decoder.2.weight', hiddenSize), hiddenSize, 1)])
  const logits = graph.add('Add', [sum, weight(constant('decoder.decoder.2.bias', 1), 1)])
  graph.add('Sigmoid', [logits], { name: 'probabilities' })

  return {
    graph,
    name: 'silero_vad_v5_windows',
    inputs: [
      { name: 'frames', type: 'float32', dims: ['frames', frameSamples] },
      { name: 'streams', type: 'int64', dims: [1] },
      { name: 'hidden', type: 'float32', dims: [1, 'streams', hiddenSize] },
      { name: 'cell', type: 'float32', dims: [1, 'streams', hiddenSize] },
    ],
    outputs: [
      { name: 'probabilities', type: 'float32', dims: ['windows', 'streams', 1] },
      { name: 'next_hidden', type: 'float32', dims: [1, 'streams', hiddenSize] },
      { name: 'next_cell', type: 'float32', dims: [1, 'streams', hiddenSize] },
    ],
  }
}

function outputLength({ length, stride }: Layer): number {
  return Math.ceil(length / stride)
}

/** Transposes a matrix with rows of `columns` numbers. */
function transpose(values: Float32Array, columns: number): Float32Array {
  const rows = values.length / columns
  return Float32Array.from(values, (_, at) => values[(at % rows) * columns + Math.floor(at / rows)] ?? 0)
}

/**
 * Returns a convolution as one matrix, [positions × channels of its input, positions × channels of its output]: with at most four
 * positions per window, a product of whole matrices is faster than a convolution, despite its zeros.
 */
function toMatrix(taps: Float32Array, layer: Layer): Float32Array {
  const { inputs, outputs, length, stride } = layer
  const positions = outputLength(layer)
  const matrix = new Float32Array(length * inputs * positions * outputs)
  for (let to = 0; to < positions; to += 1)
    for (let tap = 0; tap < 3; tap += 1) {
      const from = to * stride + tap - 1
      if (from < 0 || from >= length) continue
      for (let input = 0; input < inputs; input += 1)
        for (let output = 0; output < outputs; output += 1)
          matrix[((from * inputs + input) * positions + to) * outputs + output] =
            taps[(output * inputs + input) * 3 + tap] ?? 0
    }
  return matrix
}

function repeat(values: Float32Array, times: number): Float32Array {
  return Float32Array.from({ length: values.length * times }, (_, at) => values[at % values.length] ?? 0)
}

/** Reorders the gates of an LSTM from PyTorch's order (input, forget, cell, output) to that of ONNX (input, output, forget, cell). */
function reorderGates(values: Float32Array): Float32Array {
  const size = values.length / 4
  const gates = [0, 3, 1, 2].map((gate) => values.subarray(gate * size, (gate + 1) * size))
  return Float32Array.from(gates.flatMap((gate) => [...gate]))
}
