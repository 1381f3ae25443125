import { encodeMessage } from './protobuf.ts'
import type { ProtobufField } from './protobuf.ts'

/** Element types (onnx.proto, TensorProto.DataType). */
export const elementTypes = { float32: 1, int8: 3, int32: 6, int64: 7, bfloat16: 16 } as const
export type ElementType = keyof typeof elementTypes
const elementBytes = { float32: 4, int8: 1, int32: 4, int64: 8, bfloat16: 2 } as const

/** A constant of a graph, whose numbers are read only when the graph is written. */
export interface GraphWeight {
  type: ElementType
  dims: number[]
  /** Yields its numbers in row-major order, as little-endian bytes. */
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** An input or output of a graph (onnx.proto, ValueInfoProto; tensors only). */
export interface ValueInfo {
  name: string
  type: ElementType
  /** A name stands for a dynamic dimension. */
  dims: (number | string)[]
}

interface NodeOptions {
  /** Numbers and lists of numbers, none of them negative. */
  attributes?: Record<string, number | number[]>
  /** The output's name, if it is an output of the graph. */
  name?: string
}

type Three = [string, string, string]

interface ThreeOutputsOptions extends Pick<NodeOptions, 'attributes'> {
  /** Names of the outputs, if they are outputs of the graph. */
  names?: Three
}

/** The domain of the operators that onnxruntime adds to those of ONNX itself, whose domain is empty. */
const onnxruntimeDomain = 'com.microsoft'

export function countWeightBytes({ type, dims }: GraphWeight): number {
  return dims.reduce((product, size) => product * size, elementBytes[type])
}

/** The operators and constants of an ONNX graph, in the order in which they were added. Values are identified by name. */
export class OnnxGraph {
  /** The operators, encoded as NodeProto. */
  readonly nodes: Buffer[] = []
  readonly weights: (GraphWeight & { name: string })[] = []
  /** Domains of its operators, and those that every file names. */
  readonly domains = new Set(['', onnxruntimeDomain])

  /** Adds an operator with one output; returns the output's name. */
  add(operator: string, inputs: string[], options: NodeOptions = {}): string {
    const name = options.name ?? `t${this.nodes.length}`
    this.#push(operator, inputs, [name], options)
    return name
  }

  /** Adds an operator with two outputs; returns their names. */
  addWithTwoOutputs(operator: string, inputs: string[]): [string, string] {
    const name = `t${this.nodes.length}`
    const outputs: [string, string] = [`${name}_0`, `${name}_1`]
    this.#push(operator, inputs, outputs, {})
    return outputs
  }

  /** Adds an operator with three outputs; returns their names. */
  addWithThreeOutputs(operator: string, inputs: string[], options: ThreeOutputsOptions = {}): Three {
    const name = `t${this.nodes.length}`
    const outputs: Three = options.names ?? [`${name}_0`, `${name}_1`, `${name}_2`]
    this.#push(operator, inputs, outputs, options)
    return outputs
  }

  /** Adds a constant; returns its name. */
  weight(weight: GraphWeight): string {
    const name = `w${this.weights.length}`
    this.weights.push({ ...weight, name })
    return name
  }

  /** Adds a constant list of int64. */
  ints(...values: number[]): string {
    return this.weight({ type: 'int64', dims: [values.length], read: () => [encodeInts(values)] })
  }

  #push(operator: string, inputs: string[], outputs: string[], { attributes = {} }: NodeOptions): void {
    const domain = domains.get(operator)
    if (domain !== undefined) this.domains.add(domain)
    this.nodes.push(
      encodeMessage(
        ...inputs.map((input): ProtobufField => [1, input]),
        ...outputs.map((output): ProtobufField => [2, output]),
        [3, `${operator}_${this.nodes.length}`],
        [4, operator],
        ...Object.entries(attributes).map(([name, value]): ProtobufField => [5, encodeAttribute(name, value)]),
        ...(domain === undefined ? [] : [[7, domain] satisfies ProtobufField]),
      ),
    )
  }
}

/** Operators that ONNX does not have: onnxruntime's (its page “Contrib operators”), and our own (engine/onnx/addon/operators.cc). */
const domains = new Map([
  ['Gelu', onnxruntimeDomain],
  ['MultiHeadAttention', onnxruntimeDomain],
  ['CrossAttention', 'awaz'],
  ['SelfAttention', 'awaz'],
  ['FullAttention', 'awaz'],
  ['QuantizeRows', 'awaz'],
  ['NormalizeAndQuantizeRows', 'awaz'],
  ['ScaleProducts', 'awaz'],
  ['MultiplyRows', 'awaz'],
])

function encodeAttribute(name: string, value: number | number[]): Buffer {
  const types = { int: 2, ints: 7 }
  if (typeof value === 'number') return encodeMessage([1, name], [3, value], [20, types.int])
  return encodeMessage([1, name], ...value.map((each): ProtobufField => [8, each]), [20, types.ints])
}

function encodeInts(values: number[]): Uint8Array {
  return new Uint8Array(BigInt64Array.from(values, BigInt).buffer)
}
