import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readGguf } from './gguf-file.ts'
import { importModel } from './store/import-model.ts'
import { storeConfig } from './store/testing/models-folder.ts'

interface FileFields {
  /** The value of general.alignment, which must be a number. */
  alignment?: number | string
  sizes?: bigint[]
  type?: number
  offset?: bigint
}

const f32 = 0
const unknownType = 1_000
const huge = 2n ** 64n - 1n

/** Writes a GGUF version 3 file with one tensor and 1 KB of weights. */
async function writeGguf({ alignment, sizes = [16n], type = f32, offset = 0n }: FileFields): Promise<string> {
  const values = alignment === undefined ? [] : [text('general.alignment'), valueOf(alignment)]
  const path = join(await temporaryFolder(), 'model.gguf')
  const header = [Buffer.from('GGUF'), uint32(3), uint64(1n), uint64(alignment === undefined ? 0n : 1n), ...values]
  const tensor = [text('weights'), uint32(sizes.length), ...sizes.map(uint64), uint32(type), uint64(offset)]
  await writeFile(path, Buffer.concat([...header, ...tensor, Buffer.alloc(1024)]))
  return path
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([uint64(BigInt(value.length)), Buffer.from(value)])
}

/** Encodes the type, then the value: type 4 is uint32, 8 is a string. */
function valueOf(value: number | string): Buffer {
  return Buffer.concat(typeof value === 'number' ? [uint32(4), uint32(value)] : [uint32(8), text(value)])
}

test.each<[string, FileFields]>([
  ['its tensor', {}],
  ['an alignment of its own', { alignment: 64 }],
  ['a tensor of a type that is not known', { type: unknownType }],
  ['a single number', { sizes: [] }],
])('a file with %s is whole', async (_, fields) => {
  expect(await readGguf(await writeGguf(fields))).toMatchObject({ metadata: { hasChatTemplate: false } })
})

test.each<[string, FileFields, string]>([
  ['whose alignment is zero', { alignment: 0 }, 'the alignment of its weights is no power of two'],
  ['whose alignment is a text', { alignment: 'wide' }, 'the alignment of its weights is no power of two'],
  ['whose alignment is not a power of two', { alignment: 24 }, 'the alignment of its weights is no power of two'],
  ['with nothing times infinity', { sizes: [0n, huge, huge, huge] }, 'the size of its weights cannot be calculated'],
  ['without elements', { sizes: [0n] }, 'the size of its weights cannot be calculated'],
  ['with too many dimensions', { sizes: [1n, 1n, 1n, 1n, 1n] }, 'the size of its weights cannot be calculated'],
  ['with more elements than can be counted', { sizes: [huge] }, 'the size of its weights cannot be calculated'],
  ['that begins nowhere', { type: unknownType, offset: huge }, 'the size of its weights cannot be calculated'],
  ['that lacks weights', { sizes: [1024n] }, 'it ends inside its weights'],
])('a file %s is refused, and not installed', async (_, fields, problem) => {
  const path = await writeGguf(fields)
  expect(await readGguf(path)).toEqual({ problem: expect.stringContaining(problem) })
  await expect(importModel(path, {}, await storeConfig())).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(`${path} cannot be imported: `),
  })
})
