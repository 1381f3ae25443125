/** Fields of ModelProto, GraphProto, NodeProto, AttributeProto and TensorProto (onnx.proto3). */
const fields = {
  model: { graph: 7 },
  graph: { node: 1 },
  node: { output: 2, operator: 4, attribute: 5 },
  attribute: { name: 1, tensor: 5, graph: 6 },
  tensor: { type: 2, raw: 9 },
} as const
const float32 = 1
/** Size in bytes of a value by its wire type, for types without a length prefix. */
const fixedBytes = new Map([
  [1, 8],
  [5, 4],
])
const decoder = new TextDecoder()

/** Returns the float32 constants in a branch of the first `If` of an ONNX file, by name. */
export function readBranchConstants(file: Uint8Array, branch: string): Map<string, Float32Array> {
  const graph = only(file, fields.model.graph)
  const choice = all(graph, fields.graph.node).find((node) => text(node, fields.node.operator) === 'If')
  const attribute = all(choice ?? new Uint8Array(), fields.node.attribute).find(
    (each) => text(each, fields.attribute.name) === branch,
  )
  if (!attribute) throw new Error(`Expected a graph with the branch ${branch}`)
  const nodes = all(only(attribute, fields.attribute.graph), fields.graph.node)
  const constants = nodes.filter((node) => text(node, fields.node.operator) === 'Constant')
  return new Map(
    constants.flatMap((node) => {
      const tensor = only(only(node, fields.node.attribute), fields.attribute.tensor)
      return number(tensor, fields.tensor.type) === float32
        ? [[text(node, fields.node.output), new Float32Array(Uint8Array.from(only(tensor, fields.tensor.raw)).buffer)]]
        : []
    }),
  )
}

function only(message: Uint8Array, field: number): Uint8Array {
  const [value] = all(message, field)
  if (!value) throw new Error(`Expected a field ${field}`)
  return value
}

function text(message: Uint8Array, field: number): string {
  return decoder.decode(all(message, field)[0])
}

function number(message: Uint8Array, field: number): number | undefined {
  return readFields(message).find((each) => each.field === field)?.number
}

function all(message: Uint8Array, field: number): Uint8Array[] {
  return readFields(message).flatMap((each) => (each.field === field && each.bytes ? [each.bytes] : []))
}

/** Reads the fields of a protobuf message (protobuf.dev, "Encoding"). */
function readFields(message: Uint8Array): { field: number; number?: number; bytes?: Uint8Array }[] {
  const found: ReturnType<typeof readFields> = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [field, kind] = [Math.floor(tag / 8), tag % 8]
    if (kind === 0) found.push({ field, number: varint() })
    else {
      const length = kind === 2 ? varint() : (fixedBytes.get(kind) ?? 0)
      found.push({ field, bytes: message.subarray(at, at + length) })
      at += length
    }
  }
  return found
}
