import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openDiskStore } from './disk-store.ts'
import { snapshotAudio } from './audio-snapshot.ts'

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
  const held = await snapshotAudio(root)
  const later = await store(root, second)
  await held.refresh()
  for (const stored of [path, later.path]) await rm(stored)
  expect(await readFile((await held.open(file))?.path ?? '', 'utf8')).toBe(file.id)
  expect(await held.open(later.file)).not.toBeNull()
  await held.release()
  expect(await held.open(file)).toBeNull()
  expect(await readdir(root)).not.toContain('.snapshot')
})

test('what a killed process held is let go by the next one, and by the store after its time', async () => {
  const root = await temporaryFolder()
  const { path, file } = await store(root, first)
  await snapshotAudio(root)
  await rm(path)
  expect(await (await snapshotAudio(root)).open(file)).toBeNull()

  const disk = await openDiskStore(root)
  await mkdir(join(root, '.snapshot'), { recursive: true })
  const old = new Date(Date.now() - 3_600_000)
  await utimes(join(root, '.snapshot'), old, old)
  await disk.removePartsOlder(new Date(old.getTime() - 1))
  expect(await readdir(root)).toContain('.snapshot')
  await disk.removePartsOlder(new Date(Date.now() - 60_000))
  expect(await readdir(root)).not.toContain('.snapshot')
})

test('what a running process holds is marked as in use, however long it runs', async () => {
  const root = await temporaryFolder()
  await store(root, first)
  const held = await snapshotAudio(root, { touchMs: 5 })
  onTestFinished(() => held.release())
  const old = new Date(Date.now() - 3_600_000)
  await utimes(join(root, '.snapshot'), old, old)
  await vi.waitUntil(async () => (await stat(join(root, '.snapshot'))).mtime > old)
  await (await openDiskStore(root)).removePartsOlder(new Date(Date.now() - 60_000))
  expect(await readdir(root)).toContain('.snapshot')
})

test('a file or folder that the disk does not give is an error, not a missing file', async () => {
  const root = await temporaryFolder()
  const { file } = await store(root, first)
  const held = await snapshotAudio(root)
  await rm(join(root, '.snapshot', file.id.slice(-2)), { recursive: true })
  await symlink(file.id.slice(-2), join(root, '.snapshot', file.id.slice(-2)))
  await expect(held.open(file)).rejects.toThrow('ELOOP')
  await held.release()
  const loop = join(root, 'loop')
  await symlink('loop', loop)
  await expect(snapshotAudio(loop)).rejects.toThrow('ELOOP')
})
