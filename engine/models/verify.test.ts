import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSpeechModel } from './catalog.ts'
import { findGgmlFault } from './ggml-file.ts'
import type { SpeechModel } from './model-entry.ts'
import { verifyModel } from './verify.ts'

let dir: string
let demo: SpeechModel
let copy: SpeechModel

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'awaz-verify-'))
  demo = await findSpeechModel('demo-speech')
  copy = { ...demo, path: join(dir, 'model.bin') }
})

afterEach(() => rm(dir, { recursive: true }))

/** The same model as an operator's entry, of which nothing is known but where it lies. */
function unknown(model: SpeechModel): SpeechModel {
  return { ...model, sizeBytes: null, sha256: null, isDemo: false }
}

test('accepts the bundled demo model, by its hash and by its structure alone', async () => {
  await expect(verifyModel(demo)).resolves.toBeUndefined()
  await expect(verifyModel(unknown(demo))).resolves.toBeUndefined()
})

test('a missing file is a sentence with what to do', async () => {
  await expect(verifyModel({ ...unknown(copy), url: 'https://example.org/model.bin' })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: 'The model Awaz demo speech model is not installed.',
    help: `Put the file at ${copy.path} (from https://example.org/model.bin).`,
  })
})

test('a cut file is refused by its size', async () => {
  await copyFile(demo.path, copy.path)
  await truncate(copy.path, 7_000_000)
  await expect(verifyModel(copy)).rejects.toThrow('has 7000000 bytes instead of 7580802')
})

test('a file with one changed byte is refused by its hash, also after a whole one was accepted', async () => {
  await copyFile(demo.path, copy.path)
  await verifyModel(copy)
  const bytes = await readFile(copy.path)
  bytes[5_000_000] = (bytes[5_000_000] ?? 0) ^ 1
  await writeFile(copy.path, bytes)
  await expect(verifyModel(copy)).rejects.toThrow('sha256 is not the one in the catalogue')
})

test.each([
  ['inside its header', 30, 'header is damaged'],
  ['inside its vocabulary', 200_000, 'inside its vocabulary'],
  ['inside its weights', 7_000_000, 'inside its weights'],
  ['before its last byte', 7_579_340, 'inside its weights'],
])('a model of unknown hash that ends %s is refused by its structure', async (_, bytes, sentence) => {
  await copyFile(demo.path, copy.path)
  await truncate(copy.path, bytes)
  await expect(verifyModel(unknown(copy))).rejects.toThrow(sentence)
})

test('a model of unknown hash that lacks whole tensors is refused', async () => {
  const bytes = await readFile(demo.path)
  const lastName = bytes.lastIndexOf('decoder.')
  await writeFile(copy.path, bytes.subarray(0, lastName - 4 * 4))
  expect(await findGgmlFault(copy.path)).toContain('inside its weights')
})

test('garbage is refused by its structure', async () => {
  await writeFile(copy.path, Buffer.alloc(100_000, 'not a model'))
  expect(await findGgmlFault(copy.path)).toBe('it is not a Whisper model in ggml format')
  await writeFile(copy.path, '')
  expect(await findGgmlFault(copy.path)).toBe('it is not a Whisper model in ggml format')
})
