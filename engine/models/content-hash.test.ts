import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel } from './catalog.ts'
import { contentHash } from './content-hash.ts'
import type { SpeechModel } from './model-entry.ts'
import { readRegistry } from './registry.ts'

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

async function placeModel(content: string): Promise<{ model: SpeechModel; modelsDir: string }> {
  const modelsDir = await temporaryFolder()
  const demo = await findSpeechModel('demo-speech')
  const model = { ...demo, path: join(modelsDir, 'model.bin') }
  await writeFile(model.path, content)
  return { model, modelsDir }
}

test('a model of one file has the hash of that file, which is stored in the models folder', async () => {
  const { model, modelsDir } = await placeModel('weights')
  expect(await contentHash(model, { modelsDir })).toBe(sha256('weights'))
  expect(await readRegistry(modelsDir)).toMatchObject({ [model.path]: { sizeBytes: 7, sha256: sha256('weights') } })
})

test('another process reads the hash from the registry instead of the file', async () => {
  const { model, modelsDir } = await placeModel('weights')
  const { size, mtimeMs, ctimeMs, ino } = await stat(model.path)
  const kept = {
    sizeBytes: size,
    modifiedMs: mtimeMs,
    changedMs: ctimeMs,
    inode: ino,
    sha256: 'f'.repeat(64),
    sha1: '',
  }
  await writeFile(join(modelsDir, 'registry.json'), JSON.stringify({ files: { [model.path]: kept } }))
  expect(await contentHash(model, { modelsDir })).toBe('f'.repeat(64))
})

test('weights replaced by others of the same size and time have another hash', async () => {
  const { model, modelsDir } = await placeModel('weights')
  await contentHash(model, { modelsDir })
  const { atime, mtime } = await stat(model.path)
  await writeFile(`${model.path}.new`, 'WEIGHTS')
  await utimes(`${model.path}.new`, atime, mtime)
  await rename(`${model.path}.new`, model.path)
  expect(await contentHash(model, { modelsDir })).toBe(sha256('WEIGHTS'))
})

test('a model of several files has the hash of their names and hashes, whatever their order', async () => {
  const { model, modelsDir } = await placeModel('')
  const folder = join(modelsDir, 'onnx')
  await mkdir(folder)
  await writeFile(join(folder, 'model.onnx'), 'graph')
  await writeFile(join(folder, 'tokens.txt'), 'tokens')
  const tokens = { name: 'tokens.txt', sizeBytes: null, sha256: null }
  const graph = { name: 'model.onnx', sizeBytes: null, sha256: null }
  const sherpa = { family: 'dolphin', files: { tokens, model: graph }, isInt8: false, float32Files: {} } as const
  const hash = await contentHash({ ...model, path: folder, sherpa }, { modelsDir })
  expect(hash).toBe(sha256(`model.onnx ${sha256('graph')}\ntokens.txt ${sha256('tokens')}\n`))
})

test('without a writable models folder the hash is computed and not stored', async () => {
  const { model } = await placeModel('weights')
  expect(await contentHash(model, { modelsDir: '/proc/nowhere' })).toBe(sha256('weights'))
})

test('a damaged registry is replaced', async () => {
  const { model, modelsDir } = await placeModel('weights')
  await writeFile(join(modelsDir, 'registry.json'), '{"files": [')
  expect(await contentHash(model, { modelsDir })).toBe(sha256('weights'))
  expect(JSON.parse(await readFile(join(modelsDir, 'registry.json'), 'utf8'))).toHaveProperty('files')
})

test('an abort ends the reading with `job_cancelled`', async () => {
  const { model, modelsDir } = await placeModel('weights')
  await expect(contentHash(model, { modelsDir, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'job_cancelled',
  })
})
