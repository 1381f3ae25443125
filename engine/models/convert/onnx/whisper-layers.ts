import type { StoredTensor } from '../stored-tensor.ts'
import type { WhisperSource } from '../whisper-source.ts'
import type { OnnxGraph, ValueInfo } from './onnx-graph.ts'
import { floatWeight, quantizedMatrix, quantizedTable, transposedMatrix } from './weights.ts'
import type { QuantizedWeight, WeightPart } from './weights.ts'

/** Number format of the weights: 8-bit integers multiply faster, but exactly only on some processors (cpu-features.ts). */
export type Precision = 'int8' | 'float32'

/** A quantized matrix whose integers are a value of the graph. */
type QuantizedColumns = Omit<QuantizedWeight, 'integers'> & { integers: string }

interface LayersOptions {
  precision: Precision
  /** Whether few rows are multiplied at a time, as in a decoder, so that products wait for the weights to be read. */
  hasFewRows: boolean
}

/** The order of axes used in attention, from [texts, tokens, heads, values]. */
const byHead = [0, 2, 1, 3]

/** The parts shared by the encoder and the decoder of a Whisper. Values are identified by name. */
export class WhisperLayers {
  readonly graph: OnnxGraph
  readonly source: WhisperSource
  readonly precision: Precision
  readonly #hasFewRows: boolean
  /** The width of an attention head. */
  readonly headSize: number
  readonly #quantized = new Map<string, [integers: string, scales: string]>()

  constructor(graph: OnnxGraph, source: WhisperSource, { precision, hasFewRows }: LayersOptions) {
    this.graph = graph
    this.source = source
    this.precision = precision
    this.#hasFewRows = hasFewRows
    this.headSize = source.sizes.audioState / source.sizes.audioHeads
  }

  /** Returns a tensor by its name in ggml files. */
  tensor(name: string): StoredTensor {
    const tensor = this.source.tensors.get(name)
    if (!tensor) throw new Error(`Nothing was found for the tensor ${name}.`)
    return tensor
  }

  /** Adds a tensor as floats; returns the value. */
  floats(name: string, ...dims: number[]): string {
    return this.graph.weight(floatWeight([{ tensor: this.tensor(name) }], dims))
  }

  /** Returns a value that only `multiply` and `linear` can read: it consists of integers if the weights do. */
  norm(x: string, name: string): string {
    const { audioState } = this.source.sizes
    const inputs = [x, this.floats(`${name}.weight`, audioState), this.floats(`${name}.bias`, audioState)]
    // Its axis and epsilon (1e-5) are the operator's defaults.
    if (this.precision === 'float32') return this.graph.add('LayerNormalization', inputs)
    const [rows, scales] = this.graph.addWithTwoOutputs('NormalizeAndQuantizeRows', inputs)
    this.#quantized.set(rows, [rows, scales])
    return rows
  }

  /** Multiplies by a matrix of concatenated rows, and adds biases if there are any. */
  multiply(x: string, parts: WeightPart[], biases?: WeightPart[]): string {
    const { graph } = this
    if (this.precision === 'float32') {
      const product = graph.add('MatMul', [x, graph.weight(transposedMatrix(parts))])
      return biases ? graph.add('Add', [product, this.bias(biases)]) : product
    }
    const { integers, ...columns } = this.#hasFewRows ? quantizedTable(parts) : quantizedMatrix(parts)
    return this.multiplyIntegers(x, { integers: graph.weight(integers), ...columns }, { biases })
  }

  /**
   * Multiplies integers that have a scale per row by integers that have a scale per column: with a single scale for all positions of the
   * audio, or for all texts, small rows would use few of the 256 integers. If there are few rows, the matrix has an output per row,
   * otherwise per column.
   */
  multiplyIntegers(
    x: string,
    { integers, scales, sums }: QuantizedColumns,
    { name, biases }: { name?: string; biases?: WeightPart[] } = {},
  ): string {
    const { graph } = this
    const [rows, rowScales] = this.#quantized.get(x) ?? graph.addWithTwoOutputs('QuantizeRows', [x])
    this.#quantized.set(x, [rows, rowScales])
    const columns = [graph.weight(scales), graph.weight(sums), ...(biases ? [this.bias(biases)] : [])]
    if (this.#hasFewRows) return graph.add('MultiplyRows', [rows, rowScales, integers, ...columns], { name })
    const products = graph.add('MatMulInteger', [rows, integers])
    return graph.add('ScaleProducts', [products, rowScales, ...columns], { name })
  }

  /** Applies a linear layer; `factor` scales its result. */
  linear(x: string, name: string, factor = 1): string {
    const part = (kind: string) => [{ tensor: this.tensor(`${name}.${kind}`), factor }]
    return this.multiply(x, part('weight'), part('bias'))
  }

  bias(parts: WeightPart[]): string {
    const { audioState } = this.source.sizes
    const length = parts.reduce((sum, { tensor }) => sum + ('zeros' in tensor ? audioState : (tensor.shape[0] ?? 0)), 0)
    return this.graph.weight(floatWeight(parts, [length]))
  }

  /** Returns the concatenated weights and biases of query, key (which has no bias) and value of a self-attention. */
  queryKeyValue(name: string, queryFactor = 1): { weights: WeightPart[]; biases: WeightPart[] } {
    const { audioState } = this.source.sizes
    const part = (kind: string, factor = 1) => ({ tensor: this.tensor(`${name}.${kind}`), factor })
    return {
      weights: [part('query.weight', queryFactor), part('key.weight'), part('value.weight')],
      biases: [part('query.bias', queryFactor), { tensor: { zeros: audioState } }, part('value.bias')],
    }
  }

  /** Splits concatenated query, key and value. */
  splitInThree(x: string): [string, string, string] {
    const { audioState } = this.source.sizes
    const lengths = this.graph.ints(audioState, audioState, audioState)
    return this.graph.addWithThreeOutputs('Split', [x, lengths], { attributes: { axis: 2 } })
  }

  /** Returns [texts, heads, tokens, values], or another order of these axes. */
  splitHeads(x: string, perm = byHead): string {
    const shape = this.graph.ints(0, 0, this.source.sizes.audioHeads, this.headSize)
    return this.graph.add('Transpose', [this.graph.add('Reshape', [x, shape])], { attributes: { perm } })
  }

  joinHeads(x: string): string {
    const joined = this.graph.add('Transpose', [x], { attributes: { perm: byHead } })
    return this.graph.add('Reshape', [joined, this.graph.ints(0, 0, this.source.sizes.audioState)])
  }

  feedForward(x: string, block: string): string {
    const hidden = this.graph.add('Gelu', [this.linear(this.norm(x, `${block}.mlp_ln`), `${block}.mlp.0`)])
    return this.graph.add('Add', [x, this.linear(hidden, `${block}.mlp.2`)])
  }

  /** Returns the length of an axis, as a list of one number. */
  lengthOf(x: string, axis: number): string {
    return this.graph.add('Gather', [this.graph.add('Shape', [x]), this.graph.ints(axis)], { attributes: { axis: 0 } })
  }

  slice(x: string, start: string, end: string, axis: number): string {
    return this.graph.add('Slice', [x, start, end, this.graph.ints(axis)])
  }

  /** The type of the audio's keys and values. The decoder reads them all for each token, and waits for memory more than it computes. */
  get crossType(): 'bfloat16' | 'float32' {
    return this.precision === 'int8' ? 'bfloat16' : 'float32'
  }

  /** Returns the name of the keys or values of the audio that a layer of the decoder takes from the encoder. */
  crossName(kind: 'k' | 'v', layer: number): string {
    return `cross_${kind}_${layer}`
  }

  /** Returns the outputs of the encoder that the decoder takes: keys and values of the audio for each decoder layer. */
  crossValueInfos(): ValueInfo[] {
    const { textLayers, audioHeads } = this.source.sizes
    const type = this.crossType
    return Array.from({ length: textLayers }, (_, layer): ValueInfo[] => [
      { name: this.crossName('k', layer), type, dims: ['N', audioHeads, this.headSize, 'A'] },
      { name: this.crossName('v', layer), type, dims: ['N', audioHeads, 'A', this.headSize] },
    ]).flat()
  }
}
