import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { renderFiles } from '../archive.ts'
import { trySection } from './try-section.ts'

const { signal } = new AbortController()

test('a part that cannot be read is told by its error, without its sentence', async () => {
  const missing = join(await temporaryFolder(), 'Farhad.json')
  const read = async () => {
    await readFile(missing)
    return []
  }
  const [, file] = renderFiles(await trySection('models', { read, signal }))
  expect(file?.name).toBe('models.json')
  expect(file?.content).not.toContain('Farhad')
  expect(JSON.parse(String(file?.content))).toEqual({
    error: 'Error',
    code: 'ENOENT',
    frames: expect.arrayContaining([expect.stringMatching(/^scripts\/support\/collect\/try-section\.ts:\d+$/)]),
  })
})

test('an interruption ends it', async () => {
  const abort = new AbortController()
  const read = async () => {
    abort.abort()
    throw new Error('too late')
  }
  await expect(trySection('models', { read, signal: abort.signal })).rejects.toThrow('aborted')
})
