import { open } from 'node:fs/promises'
import { assertSize } from '../../disk.ts'
import { notConvertible } from '../conversion-error.ts'
import { countWeightBytes, elementTypes } from './onnx-graph.ts'
import type { OnnxGraph, ValueInfo } from './onnx-graph.ts'
import { encodeFieldHead, encodeMessage } from './protobuf.ts'
import type { ProtobufField } from './protobuf.ts'

/** A graph with its inputs and outputs. */
export interface OnnxModel {
  graph: OnnxGraph
  inputs: ValueInfo[]
  outputs: ValueInfo[]
  /** Name of the graph; `whisper` by default. */
  name?: string
  metadata?: Record<string, string>
}

interface WriteOnnxOptions {
  /** Called with the number of bytes of each part of the weights; an error that it throws ends the writing. */
  onWeightBytes: (bytes: number) => void
}

const irVersion = 8
/** The version of ONNX's operators; other domains are at version 1. */
const onnxOpset = 17
/** Protobuf readers reject a message of 2 GiB. */
const maxFileBytes = 2 ** 31 - 1
/** Fields of ModelProto, GraphProto and TensorProto (onnx.proto). */
const fields = {
  model: { irVersion: 1, producer: 2, graph: 7, opset: 8, metadata: 14 },
  graph: { node: 1, name: 2, weight: 5, input: 11, output: 12 },
  tensor: { dims: 1, type: 2, name: 8, data: 9 },
} as const

/** Returns the bytes of all weights of a model. */
export function countModelBytes({ graph }: OnnxModel): number {
  return graph.weights.reduce((sum, weight) => sum + countWeightBytes(weight), 0)
}

/**
 * Writes a model as an ONNX file, with one part of one weight in memory at a time.
 *
 * @throws AppError `model_unavailable` if it does not fit into one file
 */
export async function writeOnnx(path: string, model: OnnxModel, { onWeightBytes }: WriteOnnxOptions): Promise<void> {
  const graphHead = encodeGraphHead(model)
  const weights = model.graph.weights.map((weight) => ({ ...weight, head: encodeWeightHead(weight) }))
  const weightBytes = weights.reduce((sum, weight) => sum + weight.head.length + countWeightBytes(weight), 0)
  const graphField = encodeFieldHead(fields.model.graph, graphHead.length + weightBytes)
  const head = Buffer.concat([encodeModelHead(model), graphField, graphHead])
  const fileBytes = head.length + weightBytes
  assertFits(path, fileBytes)
  await using output = await open(path, 'w')
  // Unlike write(), appendFile() continues after a partial write.
  await output.appendFile(head)
  for (const weight of weights) {
    await output.appendFile(weight.head)
    let leftBytes = countWeightBytes(weight)
    for await (const bytes of weight.read()) {
      leftBytes -= bytes.length
      await output.appendFile(bytes)
      onWeightBytes(bytes.length)
    }
    if (leftBytes !== 0) throw new Error(`The weight ${weight.name} is ${leftBytes} bytes shorter than its shape.`)
  }
  await output.sync()
  await assertSize(output, path, fileBytes)
}

function assertFits(path: string, fileBytes: number): void {
  if (fileBytes <= maxFileBytes) return
  throw notConvertible(
    `${path} would have ${fileBytes} bytes, and a file in ONNX format has ${maxFileBytes} at most.`,
    'Use the model with 8-bit weights, or in ggml format.',
  )
}

function encodeModelHead({ graph, metadata = {} }: OnnxModel): Buffer {
  return encodeMessage(
    [fields.model.irVersion, irVersion],
    [fields.model.producer, 'awaz'],
    ...[...graph.domains].map((domain): ProtobufField => [
      fields.model.opset,
      encodeMessage([1, domain], [2, domain === '' ? onnxOpset : 1]),
    ]),
    ...Object.entries(metadata).map(([key, value]): ProtobufField => [
      fields.model.metadata,
      encodeMessage([1, key], [2, value]),
    ]),
  )
}

/** Encodes a graph without its weights. */
function encodeGraphHead({ graph, inputs, outputs, name = 'whisper' }: OnnxModel): Buffer {
  return encodeMessage(
    ...graph.nodes.map((node): ProtobufField => [fields.graph.node, node]),
    [fields.graph.name, name],
    ...inputs.map((info): ProtobufField => [fields.graph.input, encodeValueInfo(info)]),
    ...outputs.map((info): ProtobufField => [fields.graph.output, encodeValueInfo(info)]),
  )
}

function encodeValueInfo({ name, type, dims }: ValueInfo): Buffer {
  const shape = encodeMessage(
    ...dims.map((dim): ProtobufField => [1, encodeMessage(typeof dim === 'number' ? [1, dim] : [2, dim])]),
  )
  return encodeMessage([1, name], [2, encodeMessage([1, encodeMessage([1, elementTypes[type]], [2, shape])])])
}

/** Encodes a TensorProto up to its numbers. */
function encodeWeightHead(weight: OnnxGraph['weights'][number]): Buffer {
  const dataBytes = countWeightBytes(weight)
  const head = Buffer.concat([
    encodeMessage(
      ...weight.dims.map((dim): ProtobufField => [fields.tensor.dims, dim]),
      [fields.tensor.type, elementTypes[weight.type]],
      [fields.tensor.name, weight.name],
    ),
    encodeFieldHead(fields.tensor.data, dataBytes),
  ])
  return Buffer.concat([encodeFieldHead(fields.graph.weight, head.length + dataBytes), head])
}
