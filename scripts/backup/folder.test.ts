import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { roundCount } from '#testing/rounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder, backUpToStream } from './create/create-backup.ts'
import { writeTar } from './format/tar-writer.ts'
import { createDecrypter } from './read/archive-key.ts'
import { verifyBackup } from './read/verify-backup.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import { listRecords } from './store/backup-record.ts'
import {
  passphraseEncryption,
  openServerWith,
  optionsFor,
  passphrase,
  readFiles,
  storeRecording,
} from './testing/instance.ts'

const blobNames = async (folder: string) =>
  (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.includes('/'))

/** Restores into an empty folder of the running test. */
async function restore(path: string, options: { dataDir?: string; passphrase?: string } = {}) {
  const dataDir = options.dataDir ?? (await temporaryFolder())
  const decrypter = createDecrypter({ passphrase: options.passphrase, identities: [] })
  const steps = { onStage: () => undefined, onProgress: () => undefined }
  return restoreBackup({ path, decrypter, dataDir, modelsDir: join(dataDir, 'models'), ...steps })
}

test('a second backup copies only new audio, and both are whole', async () => {
  const { server, ownerId } = await openServerWith(5)
  const folder = await temporaryFolder()
  const first = await backUpToFolder(folder, optionsFor(server))
  expect(await blobNames(folder)).toHaveLength(5)
  await storeRecording(server, ownerId, randomBytes(900))
  const second = await backUpToFolder(folder, optionsFor(server))
  expect(await blobNames(folder)).toHaveLength(6)
  expect(second.reusedBlobs).toBe(5)
  expect(second.record.newBytes - second.record.archive.sizeBytes).toBe(900)
  for (const { path } of [first, second]) expect((await verifyBackup({ path })).problems).toEqual([])
  expect((await listRecords(folder)).records.map(({ recordings }) => recordings)).toEqual([5, 6])
  for (const name of Object.keys(await readFiles(folder)))
    expect([name, (await stat(join(folder, name))).mode & 0o077]).toEqual([name, 0])
})

test('recordings of the same audio are stored once, also where it is damaged', async () => {
  const { server, ownerId } = await openServerWith(0)
  for (let n = 0; n < 3; n++) await storeRecording(server, ownerId, Buffer.from('the same'))
  const damaged = await Promise.all(['one', 'two'].map((text) => storeRecording(server, ownerId, Buffer.from(text))))
  for (const id of damaged) await writeFile(join(server.config.dataDir, 'audio', id.slice(-2), `${id}.wav`), '')
  const folder = await temporaryFolder()
  const { record, path } = await backUpToFolder(folder, optionsFor(server))
  expect(record).toMatchObject({ recordings: 5, faultyRecordings: 2 })
  expect(await blobNames(folder)).toHaveLength(2)
  expect((await verifyBackup({ path })).problems).toEqual([])
  expect((await restore(path)).manifest.files.filter(({ blob }) => blob)).toHaveLength(5)
})

test('an encrypted folder shows neither content nor hashes of audio; each recipient opens it, nobody else', async () => {
  const { server, ownerId } = await openServerWith(0)
  const audio = Buffer.from('words that nobody may read '.repeat(50))
  await storeRecording(server, ownerId, audio)
  const identity = await generateX25519Identity()
  const folder = await temporaryFolder()
  const encryption = { kind: 'recipients' as const, recipients: [await identityToRecipient(identity)] }
  const { path } = await backUpToFolder(folder, optionsFor(server, encryption))
  for (const [name, content] of Object.entries(await readFiles(folder))) {
    const bytes = Buffer.from(content, 'base64')
    expect([name, bytes.includes('words that nobody may read')]).toEqual([name, false])
    expect(`${name}${bytes.toString('latin1')}`).not.toContain(createHash('sha256').update(audio).digest('hex'))
  }
  const open = (...identities: string[]) => verifyBackup({ path, decrypter: createDecrypter({ identities }) })
  expect((await open(identity)).problems).toEqual([])
  await expect(open(await generateX25519Identity())).rejects.toThrow('is not opened by this key')
})

test('a wrong passphrase, and none, are refused with a sentence, and nothing is written', async () => {
  const { server } = await openServerWith(1)
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server, passphraseEncryption))
  const dataDir = await temporaryFolder()
  await expect(restore(path, { dataDir, passphrase: 'another passphrase' })).rejects.toThrow(
    'is not opened by this key',
  )
  await expect(restore(path, { dataDir })).rejects.toThrow('is encrypted')
  expect(await readdir(dataDir)).toEqual([])
})

const flips = roundCount(30)

test(
  'one flipped bit is found anywhere, with and without a key, and the file is named',
  { tags: ['rounds'], timeout: 60_000 + flips * 10_000 },
  async () => {
    const { server } = await openServerWith(3)
    const folder = await temporaryFolder()
    const { path } = await backUpToFolder(folder, optionsFor(server, passphraseEncryption))
    const decrypter = createDecrypter({ passphrase, identities: [] })
    const files = Object.keys(await readFiles(folder))
    expect(files).toHaveLength(5)
    const random = seededRandom(31)
    for (let round = 0; round < flips; round++) {
      for (const name of files) {
        const file = join(folder, name)
        const whole = await readFile(file)
        const flipped = Buffer.from(whole)
        const place = Math.floor(random() * whole.length)
        flipped[place] = (whole[place] ?? 0) ^ (1 << Math.floor(random() * 8))
        await writeFile(file, flipped)
        for (const options of [{ path }, { path, decrypter }]) {
          const { problems } = await verifyBackup(options)
          expect(problems.join(), `${name}, byte ${place}`).toContain(file)
        }
        await writeFile(file, whole)
      }
    }
    expect((await verifyBackup({ path, decrypter })).problems).toEqual([])
    await rm(join(folder, files.find((name) => name.startsWith('blobs/')) ?? ''))
    expect((await verifyBackup({ path, decrypter })).problems.join()).toContain('is missing')
  },
)

test('a damaged backup is not restored, and the folder stays empty', async () => {
  const { server } = await openServerWith(2)
  const folder = await temporaryFolder()
  const { path } = await backUpToFolder(folder, optionsFor(server))
  const [blob = ''] = await blobNames(folder)
  await writeFile(join(folder, 'blobs', blob), 'something else')
  const dataDir = await temporaryFolder()
  await expect(restore(path, { dataDir })).rejects.toMatchObject({ details: [expect.stringContaining(blob)] })
  expect(await readdir(dataDir)).toEqual([])
})

test('an archive on a stream holds everything, also the audio', async () => {
  const { server } = await openServerWith(3)
  const path = join(await temporaryFolder(), 'everything.tar.age')
  await backUpToStream(createWriteStream(path), optionsFor(server, passphraseEncryption))
  const dataDir = await temporaryFolder()
  await restore(path, { dataDir, passphrase })
  const audio = await readFiles(join(dataDir, 'audio'))
  expect(audio).toEqual(await readFiles(join(server.config.dataDir, 'audio')))
})

test('a target that is not empty, or whose format is newer, is refused with a sentence', async () => {
  const { server } = await openServerWith(1)
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'audio'))
  await expect(restore(path, { dataDir })).rejects.toThrow(`${dataDir} is not empty: it holds audio.`)
  await expect(restore(path, { dataDir: server.config.dataDir })).rejects.toThrow('is not empty')

  async function* newer() {
    const head = Buffer.from(JSON.stringify({ product: 'awaz', format: 2, version: '9.1.0' }))
    yield { path: 'awaz-backup.json', sizeBytes: head.length, content: [head] }
  }
  const newerPath = join(await temporaryFolder(), 'awaz-newer.tar')
  await writeFile(newerPath, writeTar(newer()))
  await expect(restore(newerPath)).rejects.toThrow('was made by a newer version of Awaz (9.1.0, format 2)')
  const other = join(await temporaryFolder(), 'other.tar')
  await writeFile(other, randomBytes(5_000))
  await expect(restore(other)).rejects.toThrow(/is damaged|is not an Awaz backup/)
})

test('only finished backups are listed, and what a killed one left is removed by the next', async () => {
  const { server } = await openServerWith(2)
  const folder = await temporaryFolder()
  const { path } = await backUpToFolder(folder, optionsFor(server))
  await writeFile(join(folder, 'half.part'), 'half an archive')
  await writeFile(join(folder, 'blobs', 'half.part'), 'half a file')
  await cp(path, join(folder, 'awaz-20200101T000000Z.tar'))
  expect((await listRecords(folder)).records.map(({ archive }) => join(folder, archive.name))).toEqual([path])
  await backUpToFolder(folder, optionsFor(server))
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('an interrupted backup leaves nothing but audio that the next one uses', async () => {
  const { server } = await openServerWith(5)
  const folder = await temporaryFolder()
  const stop = new AbortController()
  const options = { ...optionsFor(server), signal: stop.signal }
  const progress = {
    ...options.progress,
    update: (done: number, total: number) => total === 1 && done === 0 && stop.abort(),
  }
  await expect(backUpToFolder(folder, { ...options, progress })).rejects.toThrow('aborted')
  expect((await listRecords(folder)).records).toEqual([])
  expect((await readdir(folder)).filter((name) => name !== 'blobs')).toEqual([])
  expect(await readdir(join(server.config.dataDir, 'audio'))).not.toContain('.snapshot')
  expect((await backUpToFolder(folder, optionsFor(server))).record.recordings).toBe(5)
})

test('a backup folder that was moved elsewhere restores there', async () => {
  const { server } = await openServerWith(2)
  const parent = await temporaryFolder()
  const { record } = await backUpToFolder(join(parent, 'here'), optionsFor(server))
  await rename(join(parent, 'here'), join(parent, 'there'))
  expect((await restore(join(parent, 'there', record.archive.name))).manifest.missingAudio).toEqual([])
})
