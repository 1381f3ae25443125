/** A field of a protobuf message: a number is written as a varint, everything else is preceded by its length. */
export type ProtobufField = readonly [number: number, value: Uint8Array | string | number]

const varintKind = 0
const bytesKind = 2

/** Encodes a message of fields, whose numbers may repeat (protobuf.dev, "Encoding"). */
export function encodeMessage(...fields: ProtobufField[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => encodeField(number, value)))
}

/** Encodes the number and length that precede the bytes of a field whose value follows. */
export function encodeFieldHead(number: number, length: number): Buffer {
  return Buffer.from([...toVarint(number * 8 + bytesKind), ...toVarint(length)])
}

function encodeField(number: number, value: ProtobufField[1]): Buffer {
  if (typeof value === 'number') return Buffer.from([...toVarint(number * 8 + varintKind), ...toVarint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([encodeFieldHead(number, bytes.length), bytes])
}

/** Divides instead of shifting, because lengths may exceed 2^31. Negative numbers are not supported. */
function toVarint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...toVarint(Math.floor(value / 0x80))]
}
