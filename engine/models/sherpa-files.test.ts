import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { SpeechModelEntry } from './model-entry.ts'
import { sherpaFamilyNames } from './sherpa-families.ts'
import { chooseFiles, findSherpaProblem } from './sherpa-files.ts'
import type { SherpaSpeechModel } from './sherpa-files.ts'
import { bundledModelsDir, readCatalog } from './catalog.ts'

const int8 = { encoder: { name: 'e.int8.onnx' }, decoder: { name: 'd.int8.onnx' }, tokens: { name: 'tokens.txt' } }
const float32 = { encoder: { name: 'e.onnx' }, decoder: { name: 'd.onnx' } }

function parse(sherpa: object) {
  return SpeechModelEntry.safeParse({
    kind: 'speech',
    id: 'ours',
    name: 'Ours',
    file: 'ours',
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'MIT',
    languages: ['ps'],
    sherpa,
  })
}

function model(sherpa: object): SherpaSpeechModel {
  const entry = parse({ family: 'whisper', ...sherpa }).data
  if (!entry?.sherpa) throw new Error('The entry is not valid')
  return { ...entry, sherpa: entry.sherpa, path: '/models/ours' }
}

function pathsOf(chosen: ReturnType<typeof chooseFiles>) {
  return Object.values(chosen).map(({ path }) => path)
}

test('8-bit weights are for CPUs that multiply them exactly, float32 for all others', () => {
  const both = model({ isInt8: true, files: int8, float32Files: float32 })
  expect(pathsOf(chooseFiles(both, { hasExactInt8: true }))).toEqual([
    '/models/ours/e.int8.onnx',
    '/models/ours/d.int8.onnx',
    '/models/ours/tokens.txt',
  ])
  expect(pathsOf(chooseFiles(both, { hasExactInt8: false }))).toEqual([
    '/models/ours/e.onnx',
    '/models/ours/d.onnx',
    '/models/ours/tokens.txt',
  ])
})

test('8-bit weights alone are refused where they would lose text, with what to do', () => {
  const alone = model({ isInt8: true, files: int8 })
  expect(() => chooseFiles(alone, { hasExactInt8: false })).toThrow(
    expect.objectContaining({ code: 'model_unavailable', help: expect.stringContaining('float32') }),
  )
})

test('float32 weights are for every CPU', () => {
  const plain = model({ files: { ...int8, ...float32 } })
  expect(pathsOf(chooseFiles(plain, { hasExactInt8: false }))[0]).toBe('/models/ours/e.onnx')
})

test.each([
  [{ family: 'whisper', files: { encoder: { name: 'e.onnx' } } }, 'Missing files: decoder, tokens.'],
  [{ family: 'qwen3-asr', files: { encoder: { name: 'e.onnx' } } }, 'Missing files: convFrontend, decoder, vocab'],
  [{ family: 'wav2vec', files: {} }, 'Invalid option'],
  [{ family: 'dolphin', files: { model: { name: '../m.onnx' }, tokens: { name: 't' } } }, 'Invalid string'],
])('an entry of %j is not valid', (sherpa, message) => {
  expect(parse(sherpa).error?.issues[0]?.message).toContain(message)
})

test('every family has an entry in the catalogue, and untried ones are marked', async () => {
  const entries = (await readCatalog())
    .filter((entry) => entry.kind === 'speech')
    .filter(({ sherpa }) => sherpa !== null)
  expect(new Set(entries.map(({ sherpa }) => sherpa?.family))).toEqual(new Set(sherpaFamilyNames))
  for (const { sherpa, isUntried, errors } of entries) {
    expect(isUntried).toBe(sherpa?.family !== 'whisper')
    expect(errors).toEqual([])
  }
})

test.each([
  ['a token and its number on each line', 'IA== 0\nIFRoZQ== 1\n', undefined],
  ['a blank as token', '<blk> 0\n  1\na 2\n', undefined],
  ['words', 'no tokens at all\nhere\n', 'it is not a list of tokens'],
  ['nothing', '', 'it is not a list of tokens'],
])('a list of tokens of %s', async (_, content, problem) => {
  const path = join(await temporaryFolder(), 'tokens.txt')
  await writeFile(path, content)
  expect(await findSherpaProblem(model({ files: int8 }), 'tokens', path)).toBe(problem)
})

test('a list of tokens that is far too large is not read', async () => {
  const path = join(await temporaryFolder(), 'tokens.txt')
  await writeFile(path, '')
  await truncate(path, 65 * 1024 * 1024)
  await expect(findSherpaProblem(model({ files: int8 }), 'tokens', path)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: `The file ${path} cannot be read: it has 68157440 bytes, and a text file of a model has at most 67108864.`,
  })
})

test('an ONNX file that is not a Whisper encoder is refused only for Whisper', async () => {
  const path = join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx')
  expect(await findSherpaProblem(model({ files: int8 }), 'encoder', path)).toContain(
    'not the encoder of a Whisper model',
  )
  expect(await findSherpaProblem(model({ files: int8 }), 'decoder', path)).toBeUndefined()
})

test.each(['canary', 'cohere-transcribe'])('an ONNX file that is not the encoder of %s is refused', async (family) => {
  const path = join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx')
  expect(await findSherpaProblem(model({ family, files: int8 }), 'encoder', path)).toMatch(
    /^it is not the encoder of /u,
  )
})
