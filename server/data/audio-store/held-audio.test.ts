import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openDiskStore } from './disk-store.ts'
import { holdAudio } from './held-audio.ts'

const [first, second] = ['0123456789abcdef01234567', '0123456789abcdef01234568'].map((id) => ({ id, extension: 'wav' }))

async function store(root: string, file: { id: string; extension: string } | undefined) {
  const { id = '', extension = '' } = file ?? {}
  const path = join(root, id.slice(-2), `${id}.${extension}`)
  await mkdir(join(root, id.slice(-2)), { recursive: true })
  await writeFile(path, id)
  return { path, file: { id, extension } }
}

test('a held file is found after its deletion, and gone once it is let go', async () => {
  const root = await temporaryFolder()
  const { path, file } = await store(root, first)
  const held = await holdAudio(root)
  const later = await store(root, second)
  await held.refresh()
  for (const stored of [path, later.path]) await rm(stored)
  expect(await readFile((await held.find(file)) ?? '', 'utf8')).toBe(file.id)
  expect(await held.find(later.file)).not.toBeNull()
  await held.release()
  expect(await held.find(file)).toBeNull()
  expect(await readdir(root)).not.toContain('.held')
})

test('what a killed process held is let go by the next one, and by the store after its time', async () => {
  const root = await temporaryFolder()
  const { path, file } = await store(root, first)
  await holdAudio(root)
  await rm(path)
  expect(await (await holdAudio(root)).find(file)).toBeNull()

  const disk = await openDiskStore(root)
  await mkdir(join(root, '.held'), { recursive: true })
  const old = new Date(Date.now() - 3_600_000)
  await utimes(join(root, '.held'), old, old)
  await disk.removePartsOlder(new Date(old.getTime() - 1))
  expect(await readdir(root)).toContain('.held')
  await disk.removePartsOlder(new Date(Date.now() - 60_000))
  expect(await readdir(root)).not.toContain('.held')
})
