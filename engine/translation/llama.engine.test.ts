import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTranslationModel } from '../models/catalog.ts'
import type { TranslationModel } from '../models/model-entry.ts'
import { startTranslator } from './llama.ts'

let demo: TranslationModel
let bytes: Buffer
let dir: string

beforeAll(async () => {
  demo = await findTranslationModel('demo-translator')
  bytes = await readFile(demo.path)
  dir = await mkdtemp(join(tmpdir(), 'awaz-llama-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function modelOf(name: string, content: Buffer): Promise<TranslationModel> {
  const path = join(dir, name)
  await writeFile(path, content)
  return { ...demo, path }
}

test('a file that differs from the catalogue’s is refused before it is loaded', async () => {
  const model = await modelOf('short.gguf', bytes.subarray(0, 1000))
  await expect(startTranslator({ model, threads: 1 })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(
      /^The file .* of the model Awaz demo translator cannot be used: .*it has 1000 bytes/u,
    ),
  })
})

test('a missing file is refused', async () => {
  const model = { ...demo, path: join(dir, 'missing.gguf') }
  await expect(startTranslator({ model, threads: 1 })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: 'The model Awaz demo translator is not installed.',
  })
})

test.each([
  ['cut in its weights', () => bytes.subarray(0, bytes.length - 100_000)],
  ['cut in its head', () => bytes.subarray(0, 5000)],
  ['of garbage', () => Buffer.alloc(100_000, 'garbage')],
  ['of nothing', () => Buffer.alloc(0)],
])('a file %s of unknown hash is refused before it is loaded', async (name, content) => {
  const known = await modelOf(`${name}.gguf`, content())
  await expect(
    startTranslator({ model: { ...known, sizeBytes: null, sha256: null }, threads: 1 }),
  ).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/^The file .* of the model Awaz demo translator cannot be used: it .+\.$/u),
  })
})

test('an intact file of an unknown architecture is refused and leaves no process', async () => {
  const content = Buffer.from(bytes)
  const at = content.indexOf('llama', content.indexOf('general.architecture'))
  content.write('lxxxa', at)
  const known = await modelOf('strange.gguf', content)
  const translator = await startTranslator({ model: { ...known, sizeBytes: null, sha256: null }, threads: 1 })
  try {
    await expect(translator.complete('سلام', { source: 'ps', target: 'en' })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The model Awaz demo translator could not be loaded: .+\.$/u),
    })
    expect(translator.pid()).toBeUndefined()
  } finally {
    await translator.close()
  }
})
