import { readFile } from 'node:fs/promises'

/** The contents of a Whisper file in ggml format with f16 or f32 weights. */
export interface GgmlContents {
  /** Twelve numbers: magic, sizes, file type. */
  header: number[]
  filters: Float32Array
  words: Buffer[]
  /** `type` 0 is f32, 1 is f16; dimensions innermost first, as in the file. */
  tensors: Map<string, { type: number; dims: number[]; data: Buffer }>
}

export async function readGgmlContents(path: string): Promise<GgmlContents> {
  const bytes = await readFile(path)
  let at = 0
  function take(count: number): Buffer {
    at += count
    return bytes.subarray(at - count, at)
  }
  const ints = (count: number) => Array.from({ length: count }, () => take(4).readInt32LE())
  const header = ints(12)
  const [bands = 0, bins = 0] = ints(2)
  const filters = toFloats(take(bands * bins * 4), 0)
  const [wordCount = 0] = ints(1)
  const words = Array.from({ length: wordCount }, () => take(ints(1)[0] ?? 0))
  const tensors: GgmlContents['tensors'] = new Map()
  while (at < bytes.length) {
    const [dimCount = 0, nameBytes = 0, type = 0] = ints(3)
    const dims = ints(dimCount)
    const name = take(nameBytes).toString()
    const elements = dims.reduce((product, size) => product * size, 1)
    tensors.set(name, { type, dims, data: take(elements * (type === 0 ? 4 : 2)) })
  }
  return { header, filters, words, tensors }
}

/** Returns the values of a tensor. */
export function toFloats(data: Buffer, type: number): Float32Array {
  const copy = new Uint8Array(data).buffer
  return type === 0 ? new Float32Array(copy) : new Float32Array(new Float16Array(copy))
}
