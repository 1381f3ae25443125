/** A value in a protobuf message: bytes, text or a nested message is length-delimited, a number is a varint. */
type Value = Uint8Array | string | number

const floats = 1
const integers = 7

interface Place {
  name: string
  type: 'float' | 'int64'
  /** A name makes the dimension dynamic. */
  dims: (number | string)[]
}

interface Node {
  operator: string
  inputs: string[]
  outputs: string[]
  /** Integer attributes, such as `axis`. */
  attributes?: Record<string, number>
  /** ONNX's own operators by default. */
  domain?: 'awaz'
}

export interface OnnxModelDefinition {
  inputs: Place[]
  outputs: Place[]
  nodes: Node[]
  /** Constant float tensors. */
  weights?: Record<string, { dims: number[]; values: number[] }>
  metadata?: Record<string, string>
}

/** Returns the bytes of an ONNX file (ModelProto of onnx.proto3) with operators of opset 17. */
export function encodeOnnxModel({ inputs, outputs, nodes, weights = {}, metadata = {} }: OnnxModelDefinition): Buffer {
  const graph = message(
    ...nodes.map((node): Field => [1, nodeProto(node)]),
    [2, 'graph'],
    ...Object.entries(weights).map(([name, weight]): Field => [5, tensorProto(name, weight)]),
    ...inputs.map((place): Field => [11, valueInfo(place)]),
    ...outputs.map((place): Field => [12, valueInfo(place)]),
  )
  return message(
    [1, 8],
    [8, message([1, ''], [2, 17])],
    [8, message([1, 'awaz'], [2, 1])],
    [7, graph],
    ...Object.entries(metadata).map(([key, value]): Field => [14, message([1, key], [2, value])]),
  )
}

function nodeProto({ operator, inputs, outputs, attributes = {}, domain }: Node): Buffer {
  const integerAttribute = 2
  return message(
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [4, operator],
    ...Object.entries(attributes).map(([name, value]): Field => [
      5,
      message([1, name], [3, value], [20, integerAttribute]),
    ]),
    ...(domain === undefined ? [] : [[7, domain] satisfies Field]),
  )
}

function tensorProto(name: string, { dims, values }: { dims: number[]; values: number[] }): Buffer {
  const data = Buffer.from(new Float32Array(values).buffer)
  return message(...dims.map((dim): Field => [1, dim]), [2, floats], [8, name], [9, data])
}

function valueInfo({ name, type, dims }: Place): Buffer {
  const shape = message(...dims.map((dim): Field => [1, message(typeof dim === 'number' ? [1, dim] : [2, dim])]))
  return message([1, name], [2, message([1, message([1, type === 'float' ? floats : integers], [2, shape])])])
}

type Field = [number: number, value: Value]

function message(...fields: Field[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => field(number, value)))
}

function field(number: number, value: Value): Buffer {
  if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))]
}
