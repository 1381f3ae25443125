import { ByteReader, ByteWriter } from './bytes.ts'

/** Encodes integers at about one byte for each that is close to another; their order is lost. */
export function encodeNumbers(numbers: number[]): Buffer {
  const writer = new ByteWriter()
  let previous = 0
  for (const number of numbers.toSorted((a, b) => a - b)) {
    writer.writeNumber(number - previous)
    previous = number
  }
  return writer.toBytes()
}

/** Returns the encoded numbers in ascending order. */
export function decodeNumbers(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes)
  const numbers: number[] = []
  let number = 0
  while (!reader.isAtEnd) {
    number += reader.readNumber()
    numbers.push(number)
  }
  return numbers
}
