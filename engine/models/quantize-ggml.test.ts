import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel } from './catalog.ts'
import { findGgmlProblem } from './ggml-file.ts'
import { dequantizeQ8, quantizeQ8, quantizeWhisper } from './quantize-ggml.ts'

const random = seededRandom(5)
const randomWeights = (count: number) =>
  Float32Array.from({ length: count }, () => (random() - 0.5) * 10 ** (random() * 4 - 3))

describe('a block of q8_0', () => {
  test('restores weights to half a step of their block, and half a thousandth for the scale', () => {
    const weights = randomWeights(32 * 500)
    const back = dequantizeQ8(quantizeQ8(weights))
    expect(back).toHaveLength(weights.length)
    for (let first = 0; first < weights.length; first += 32) {
      const block = weights.subarray(first, first + 32)
      const largest = Math.max(...block.map(Math.abs))
      for (const [index, weight] of block.entries()) {
        expect(Math.abs((back[first + index] ?? 0) - weight)).toBeLessThanOrEqual(largest / 254 + largest / 1900 + 1e-7)
      }
    }
  })

  test('is a half float and 32 bytes, halves rounded away from zero', () => {
    const weights = new Float32Array(32)
    weights.set([127, -127, 0.5, -0.5, 1.5, -1.5, 0.49])
    const block = quantizeQ8(weights)
    expect(block).toHaveLength(34)
    expect(block.readUInt16LE(0)).toBe(0x3c00)
    expect([...new Int8Array(block.subarray(2, 10))]).toEqual([127, -127, 1, -1, 2, -2, 0, 0])
  })

  test('of zeros is zeros', () => {
    expect(dequantizeQ8(quantizeQ8(new Float32Array(32)))).toEqual(new Float32Array(32))
  })

  test('must be complete', () => {
    expect(() => quantizeQ8(new Float32Array(33))).toThrow(RangeError)
  })
})

interface TestTensor {
  name: string
  dims: number[]
  isHalf?: boolean
}

const tensors: TestTensor[] = [
  { name: 'encoder.positional_embedding', dims: [64, 10] },
  { name: 'encoder.conv1.weight', dims: [3, 8, 64], isHalf: true },
  { name: 'encoder.conv1.bias', dims: [1, 64] },
  { name: 'encoder.blocks.0.attn.query.weight', dims: [64, 64], isHalf: true },
  { name: 'encoder.blocks.0.attn.query.bias', dims: [64] },
  { name: 'decoder.token_embedding.weight', dims: [64, 20] },
]

/** Returns a file with the structure of a Whisper model. */
function testFile(): { bytes: Buffer; weights: Map<string, Float32Array> } {
  const ints = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer)
  const weights = new Map<string, Float32Array>()
  const parts = [
    ints(0x67676d6c, 2, 10, 64, 1, 1, 10, 64, 1, 1, 2, 1, 2, 3),
    Buffer.alloc(2 * 3 * 4, 1),
    ints(2, 1),
    Buffer.from('a'),
  ]
  parts.push(ints(3), Buffer.from('bcd'))
  for (const { name, dims, isHalf } of tensors) {
    const values = randomWeights(dims.reduce((product, size) => product * size, 1))
    const halves = new Float16Array(values)
    weights.set(name, isHalf ? Float32Array.from(halves) : values)
    parts.push(ints(dims.length, name.length, isHalf ? 1 : 0, ...dims), Buffer.from(name))
    parts.push(isHalf ? Buffer.from(halves.buffer) : Buffer.from(values.buffer))
  }
  return { bytes: Buffer.concat(parts), weights }
}

describe('quantizeWhisper', () => {
  test('quantizes the matrices and keeps all else, byte by byte', async () => {
    const folder = await temporaryFolder()
    const { bytes, weights } = testFile()
    await writeFile(join(folder, 'f16.bin'), bytes)
    await quantizeWhisper(join(folder, 'f16.bin'), join(folder, 'q8.bin'))
    const written = await readFile(join(folder, 'q8.bin'))
    const headBytes = bytes.indexOf('encoder.positional_embedding') - 5 * 4
    const head = Buffer.from(bytes.subarray(0, headBytes))
    head.writeInt32LE(2007, 44)
    expect(written.subarray(0, headBytes)).toEqual(head)
    let at = headBytes
    for (const { name, dims, isHalf } of tensors) {
      const isMatrix = name === 'encoder.blocks.0.attn.query.weight' || name === 'decoder.token_embedding.weight'
      expect([name, written.readInt32LE(at + 8)]).toEqual([name, isMatrix ? 8 : Number(isHalf ?? false)])
      at += 12 + dims.length * 4 + name.length
      const values = weights.get(name) ?? new Float32Array()
      const expected = isMatrix ? quantizeQ8(values) : Buffer.from((isHalf ? new Float16Array(values) : values).buffer)
      expect(written.subarray(at, at + expected.length)).toEqual(expected)
      at += expected.length
    }
    expect(at).toBe(written.length)
  })

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['no model', () => Buffer.from('RIFF of a recording, long enough for a header of twelve numbers')],
    ['empty', () => Buffer.alloc(0)],
  ])('writes nothing for a file that is %s', async (_, damage) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'f16.bin'), damage(testFile().bytes))
    await expect(quantizeWhisper(join(folder, 'f16.bin'), join(folder, 'q8.bin'))).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    expect(await readdir(folder)).toEqual(['f16.bin'])
  })

  test('refuses a file that is quantized already', async () => {
    const folder = await temporaryFolder()
    const { path } = await findSpeechModel('demo-speech')
    await expect(quantizeWhisper(path, join(folder, 'q8.bin'))).rejects.toMatchObject({ code: 'model_unavailable' })
  })
})

test('its output has the structure of the bundled quantized model', async () => {
  const folder = await temporaryFolder()
  const { path } = await findSpeechModel('demo-speech')
  const floats = join(folder, 'f32.bin')
  await dequantizeFile(path, floats)
  await quantizeWhisper(floats, join(folder, 'q8.bin'))
  expect(await findGgmlProblem(join(folder, 'q8.bin'))).toBeUndefined()
  const [written, original] = [await readFile(join(folder, 'q8.bin')), await readFile(path)]
  expect(written.length).toBe(original.length)
  // The scale of a block that is quantized a second time may differ in its last bit.
  const differing = written.reduce((count, byte, at) => count + (byte === original[at] ? 0 : 1), 0)
  expect(differing / original.length).toBeLessThan(0.02)
})

/** Converts every q8_0 tensor of a Whisper file to f32. */
async function dequantizeFile(source: string, target: string): Promise<void> {
  const bytes = await readFile(source)
  let at = 48 + 8 + bytes.readInt32LE(48) * bytes.readInt32LE(52) * 4
  const words = bytes.readInt32LE(at)
  at += 4
  for (let word = 0; word < words; word += 1) at += 4 + bytes.readInt32LE(at)
  await using output = await open(target, 'w')
  const head = Buffer.from(bytes.subarray(0, at))
  head.writeInt32LE(1, 44)
  await output.write(head)
  while (at < bytes.length) {
    const [dimCount, nameBytes, type] = [bytes.readInt32LE(at), bytes.readInt32LE(at + 4), bytes.readInt32LE(at + 8)]
    const headBytes = 12 + dimCount * 4 + nameBytes
    let elements = 1
    for (let dim = 0; dim < dimCount; dim += 1) elements *= bytes.readInt32LE(at + 12 + dim * 4)
    const dataBytes = type === 8 ? (elements / 32) * 34 : elements * (type === 1 ? 2 : 4)
    const tensorHead = Buffer.from(bytes.subarray(at, at + headBytes))
    const data = bytes.subarray(at + headBytes, at + headBytes + dataBytes)
    if (type === 8) tensorHead.writeInt32LE(0, 8)
    await output.write(tensorHead)
    await output.write(type === 8 ? Buffer.from(dequantizeQ8(Buffer.from(data)).buffer) : data)
    at += headBytes + dataBytes
  }
}
