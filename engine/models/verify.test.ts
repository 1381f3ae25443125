import { copyFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import { findGgmlProblem } from './ggml-file.ts'
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

/** Returns the model as an operator's entry of which only the path is known. */
function unknown(model: SpeechModel): SpeechModel {
  return { ...model, sizeBytes: null, sha256: null, isDemo: false }
}

test('accepts the bundled demo model, by its hash and by its structure alone', async () => {
  await expect(verifyModel(demo)).resolves.toBeUndefined()
  await expect(verifyModel(unknown(demo))).resolves.toBeUndefined()
})

test('a missing file is refused with what to do', async () => {
  await expect(verifyModel({ ...unknown(copy), url: 'https://example.org/model.bin' })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: 'The model Awaz demo speech model is not installed.',
    help: `npm run awaz -- models pull demo-speech downloads it; without internet put the file at ${copy.path} (from https://example.org/model.bin).`,
  })
})

test('a truncated file is refused by its size', async () => {
  await copyFile(demo.path, copy.path)
  await truncate(copy.path, 7_000_000)
  await expect(verifyModel(copy)).rejects.toThrow('has 7000000 bytes instead of 7580802')
})

test('a file with one changed byte is refused by its hash, also after an intact one was accepted', async () => {
  await copyFile(demo.path, copy.path)
  await verifyModel(copy)
  const bytes = await readFile(copy.path)
  bytes[5_000_000] = (bytes[5_000_000] ?? 0) ^ 1
  await writeFile(copy.path, bytes)
  await expect(verifyModel(copy)).rejects.toThrow(
    'is not the one that the catalogue names for Awaz demo speech model: its SHA-256 is ',
  )
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

test('a model of unknown hash that lacks tensors is refused', async () => {
  const bytes = await readFile(demo.path)
  const lastName = bytes.lastIndexOf('decoder.')
  await writeFile(copy.path, bytes.subarray(0, lastName - 4 * 4))
  expect(await findGgmlProblem(copy.path)).toContain('inside its weights')
})

test.each([
  ['a text file', 'These are not the weights you are looking for.', 'it is a text file, not a Whisper model'],
  ['a web page', '<!DOCTYPE html><title>404</title>', 'it is a web page, not a Whisper model'],
  ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:1', 'it is a pointer of Git LFS'],
  ['an empty file', '', 'it is an empty file, not a Whisper model'],
])('%s in the place of a speech model is refused with its kind', async (_, content, sentence) => {
  await writeFile(copy.path, content)
  await expect(verifyModel(unknown(copy))).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(
      `The file ${copy.path} of the model Awaz demo speech model cannot be used: ${sentence}`,
    ),
    help: expect.stringContaining('models pull demo-speech'),
  })
})

test('a folder in the place of a file, and a file in the place of a folder, are refused', async () => {
  await mkdir(copy.path)
  await expect(verifyModel(copy)).rejects.toThrow(`${copy.path} is a folder, and the model is a file.`)
  const path = join(dir, 'onnx')
  await writeFile(path, 'x')
  const file = { name: 'model.onnx', sizeBytes: null, sha256: null }
  const sherpa = { family: 'dolphin', files: { model: file, tokens: file }, isInt8: false, float32Files: {} } as const
  await expect(verifyModel({ ...unknown(copy), path, sherpa })).rejects.toThrow(`${path} is a file, and the model is`)
})

test('a translation model in the place of a speech model is refused, and the other way round', async () => {
  const translator = await findTranslationModel('demo-translator')
  await copyFile(translator.path, copy.path)
  await expect(verifyModel(unknown(copy))).rejects.toThrow('it is a GGUF file, the format of translation models, not a')
  await expect(verifyModel({ ...translator, sizeBytes: null, sha256: null, path: demo.path })).rejects.toThrow(
    'it is a speech model in ggml format, not a translation model in GGUF format',
  )
})

test.each([
  ['its header', 1000, 'it ends inside its header'],
  ['its weights', 1_500_000, 'it ends inside its weights: it has 1500000 of at least 1572448 bytes'],
])('a translation model of unknown hash that ends inside %s is refused', async (_, bytes, sentence) => {
  const translator = await findTranslationModel('demo-translator')
  await copyFile(translator.path, copy.path)
  await expect(verifyModel({ ...translator, sizeBytes: null, sha256: null, path: copy.path })).resolves.toBeUndefined()
  await truncate(copy.path, bytes)
  await expect(verifyModel({ ...translator, sizeBytes: null, sha256: null, path: copy.path })).rejects.toThrow(sentence)
})

test('garbage is refused by its structure', async () => {
  await writeFile(copy.path, Buffer.alloc(100_000, 'not a model'))
  expect(await findGgmlProblem(copy.path)).toBe('it is not a Whisper model in ggml format')
  await writeFile(copy.path, '')
  expect(await findGgmlProblem(copy.path)).toBe('it is not a Whisper model in ggml format')
})
