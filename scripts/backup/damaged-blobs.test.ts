import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { createDecrypter } from './read/archive-key.ts'
import { verifyBackup } from './read/verify-backup.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import { blobPath, openBlobStore, readBlob } from './store/blob-store.ts'
import {
  passphraseEncryption,
  openServer,
  optionsFor,
  passphrase,
  readFiles,
  storeRecording,
} from './testing/instance.ts'

const decrypter = createDecrypter({ passphrase, identities: [] })

/** Backs up a server with recordings into a new folder. */
async function backUp(count: number) {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await storeRecording(server, ownerId, randomBytes(1_000 + n)))
  const folder = await temporaryFolder()
  const options = optionsFor(server, passphraseEncryption)
  const made = await backUpToFolder(folder, options)
  const paths = made.record.blobs.map(({ name }) => blobPath(folder, name))
  return { server, ids, folder, options, made, paths }
}

async function restore(path: string, { skipDamaged = false } = {}) {
  const dataDir = await temporaryFolder()
  const steps = { onStage: () => undefined, onProgress: () => undefined }
  const restored = await restoreBackup({
    path,
    decrypter,
    skipDamaged,
    dataDir,
    modelsDir: join(dataDir, 'models'),
    ...steps,
  })
  return { ...restored, audio: await readFiles(join(dataDir, 'audio')) }
}

test('a truncated blob is replaced by the next backup, and old and new archives restore', async () => {
  const { server, folder, options, made, paths } = await backUp(3)
  await truncate(paths[0] ?? '', 100)
  const next = await backUpToFolder(folder, options)
  expect(next.reusedBlobs).toBe(2)
  const audio = await readFiles(join(server.config.dataDir, 'audio'))
  for (const { path } of [made, next]) {
    expect((await verifyBackup({ path })).problems).toEqual([])
    expect((await restore(path)).audio).toEqual(audio)
  }
  expect((await backUpToFolder(folder, options)).reusedBlobs).toBe(3)
})

test('a damaged blob that no backup recorded is replaced, a whole one is used', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source.wav')
  await writeFile(source, 'the audio')
  const masterKey = randomBytes(32)
  const open = () => openBlobStore({ folder, masterKey, isEncrypted: true, known: new Map(), now: new Date() })
  const { blob, content } = await open().put(source, () => undefined)
  expect(await open().find(content.sha256)).toEqual(blob)
  expect((await open().put(source, () => undefined)).isNew).toBe(false)
  const path = blobPath(folder, blob.name)
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(0, bytes.length - 10))
  expect(await open().find(content.sha256)).toBeUndefined()
  const again = await open().put(source, () => undefined)
  expect(again.isNew).toBe(true)
  const read: Buffer[] = []
  for await (const chunk of readBlob({ folder, masterKey }, again.blob.name)) read.push(chunk)
  expect(Buffer.concat(read).toString()).toBe('the audio')
})

test('a recorded blob whose bytes rotted is found on one of 61 days, and replaced', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source.wav')
  await writeFile(source, 'the audio')
  const options = { folder, masterKey: randomBytes(32), isEncrypted: false }
  const open = (day: number, known = new Map()) =>
    openBlobStore({ ...options, known, now: new Date(Date.UTC(2026, 10, day)) })
  const { blob } = await open(1).put(source, () => undefined)
  const known = new Map([[blob.name, blob]])
  const sha256 = createHash('sha256').update('the audio').digest('hex')
  const days = Array.from({ length: 61 }, (_, n) => n + 1)
  for (const day of days) expect(await open(day, known).find(sha256)).toEqual(blob)
  await writeFile(blobPath(folder, blob.name), 'the s0und')
  const found: number[] = []
  for (const day of days) if (!(await open(day, known).find(sha256))) found.push(day)
  expect(found).toHaveLength(1)
  const another = days.find((day) => day !== found[0]) ?? 0
  const now = new Date(Date.UTC(2026, 10, another))
  expect(await openBlobStore({ ...options, known, now, isThorough: true }).find(sha256)).toBeUndefined()
  expect((await open(found[0] ?? 0, known).put(source, () => undefined)).isNew).toBe(true)
  expect(await readFile(blobPath(folder, blob.name), 'utf8')).toBe('the audio')
  expect((await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.includes('.part'))).toEqual(
    [],
  )
})

test('a backup with damaged recordings restores everything else when told to skip them, and names them', async () => {
  const { server, made, paths } = await backUp(4)
  await writeFile(paths[0] ?? '', 'something else')
  await rm(paths[1] ?? '')
  await expect(restore(made.path)).rejects.toMatchObject({
    details: expect.arrayContaining(paths.slice(0, 2).map((path): unknown => expect.stringContaining(path))),
    help: expect.stringContaining('--skip-damaged'),
  })
  const names = new Set(paths.slice(0, 2).map((path) => basename(path)))
  const damaged = made.manifest.files.filter(({ blob }) => names.has(blob ?? '')).map(({ path }) => path)
  const { skipped, audio } = await restore(made.path, { skipDamaged: true })
  expect(skipped).toEqual(damaged)
  const uploaded = await readFiles(join(server.config.dataDir, 'audio'))
  const left = Object.entries(uploaded).filter(([path]) => !damaged.includes(`data/audio/${path}`))
  expect(left).toHaveLength(2)
  expect(audio).toEqual(Object.fromEntries(left))
})

test('a damaged archive is not restored, also when damaged recordings are to be skipped', async () => {
  const { made } = await backUp(1)
  const bytes = await readFile(made.path)
  bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1
  await writeFile(made.path, bytes)
  await expect(restore(made.path, { skipDamaged: true })).rejects.toMatchObject({
    details: [`${made.path} is damaged: it has changed.`],
  })
})
