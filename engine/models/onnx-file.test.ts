import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { bundledModelsDir } from './catalog.ts'
import { readOnnx } from './onnx-file.ts'

let path: string

beforeEach(async () => {
  path = join(await temporaryFolder(), 'model.onnx')
})

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content])
}

/** Returns a model with this metadata and an empty graph of `graphBytes` bytes. */
function model(metadata: Record<string, string>, graphBytes = 100): Buffer {
  const pairs = Object.entries(metadata).map(([key, value]) =>
    field(14, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))])),
  )
  return Buffer.concat([Buffer.from([0x08, 8]), field(7, Buffer.alloc(graphBytes)), ...pairs])
}

test('reads the metadata of a model', async () => {
  await writeFile(path, model({ model_type: 'whisper', all_language_codes: 'en,fa' }))
  expect(await readOnnx(path)).toEqual({
    metadata: new Map([
      ['model_type', 'whisper'],
      ['all_language_codes', 'en,fa'],
    ]),
  })
})

test('reads the bundled network of the voice detector', async () => {
  expect(await readOnnx(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'))).toHaveProperty('metadata')
})

test.each([
  ['that ends inside its weights', 60, 'it ends inside its weights'],
  ['that is empty', 0, 'it is not a model in ONNX format'],
])('a file %s is none', async (_, bytes, problem) => {
  await writeFile(path, model({ model_type: 'whisper' }))
  await truncate(path, bytes)
  expect(await readOnnx(path)).toEqual({ problem })
})

test.each([
  ['text', Buffer.alloc(10_000, 'not a model ')],
  ['a letter again and again', Buffer.alloc(10_000_000, 'x')],
  ['zeros', Buffer.alloc(10_000)],
  ['another format', Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(10_000, 3)])],
])('%s is no model', async (_, content) => {
  await writeFile(path, content)
  expect(await readOnnx(path)).toEqual({ problem: 'it is not a model in ONNX format' })
})
