import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chown, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { newId } from '#data/ids.ts'
import { markAudioStore } from '#data/audio-store/store-mark.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { TestServer } from '#testing/server.ts'
import { backUpToFolder, backUpToStream } from './create/create-backup.ts'
import { createDecrypter } from './read/archive-key.ts'
import { restoreAudio, type RestoreAudioOptions, type RestoreAudioResult } from './recordings/restore-audio.ts'
import { blobPath } from './store/blob-store.ts'
import { listBackupEvents, runAwaz } from './testing/command-line.ts'
import { openServer, optionsFor, passphrase, passphraseEncryption, storeRecording } from './testing/instance.ts'

/** Starts a server with recordings, and backs it up. */
async function openBackedUp(count: number, options?: Parameters<typeof openServer>[0]) {
  const server = await openServer(options)
  const { id: ownerId } = await server.createUser()
  const sound = Array.from({ length: count }, (_, n) => randomBytes(2_000 + n))
  const ids: string[] = []
  for (const content of sound) ids.push(await storeRecording(server, ownerId, content))
  const folder = await temporaryFolder()
  const made = await backUpToFolder(folder, optionsFor(server, passphraseEncryption))
  return { server, ownerId, ids, sound, folder, ...made }
}

const pathOf = ({ config }: TestServer, id = '') => join(config.dataDir, 'audio', id.slice(-2), `${id}.wav`)

/** Restores audio into a running server, and returns the result for each recording. */
async function restore(server: TestServer, options: Pick<RestoreAudioOptions, 'path' | 'recordings'>) {
  const results: RestoreAudioResult[] = []
  await restoreAudio({
    ...options,
    config: server.config,
    connection: server.services.database.connection,
    decrypter: createDecrypter({ passphrase, identities: [] }),
    signal: new AbortController().signal,
    onStage: () => undefined,
    onProgress: () => undefined,
    onResult: (result) => results.push(result),
  })
  return Object.fromEntries(results.map(({ id, outcome, reason }) => [id, reason ?? outcome]))
}

test('awaz restore --recording puts the sound of recordings back while Awaz runs, and records it', async () => {
  const { server, ids, sound, path } = await openBackedUp(3)
  const env = { DATA_DIR: server.config.dataDir, MONGODB_URI: server.databaseUri }
  const [missing = '', damaged = '', whole = ''] = ids
  const keys = ['--passphrase-file', join(await temporaryFolder(), 'passphrase')]
  await writeFile(keys[1] ?? '', passphrase)
  await rm(dirname(pathOf(server, missing)), { recursive: true })
  await writeFile(pathOf(server, damaged), randomBytes(2_001))
  const before = await stat(pathOf(server, whole))

  const named = ids.flatMap((id) => ['--recording', id])
  const restored = await runAwaz(['restore', path, ...keys, ...named], env)
  expect(restored.status).toBe(0)
  expect(restored.stdout.trim().split('\n').toSorted()).toEqual(
    [
      `Recording ${missing}: restored, as it was uploaded.`,
      `Recording ${damaged}: restored, as it was uploaded.`,
      `Recording ${whole}: its sound is what was uploaded, and was left alone.`,
    ].toSorted(),
  )
  for (const [n, id] of ids.entries()) expect(await readFile(pathOf(server, id))).toEqual(sound[n])
  expect((await stat(pathOf(server, whole))).ino).toBe(before.ino)
  expect((await stat(pathOf(server, missing))).mode).toBe(before.mode)
  expect(await listBackupEvents(server, 'recording.restore_sound')).toMatchObject([
    {
      outcome: 'success',
      actor: 'command line',
      recordingId: damaged,
      details: expect.stringMatching(/^backup of 20/),
    },
    { outcome: 'success', actor: 'command line', recordingId: missing },
  ])

  const unknown = await runAwaz(['restore', path, ...keys, '--recording', newId()], env)
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('not restored, it is unknown here')])
  const all = await runAwaz(['restore', path, ...keys, '--all-damaged'], env)
  expect([all.status, all.stdout]).toEqual([0, 'The sound of every recording is what was uploaded.\n'])
  const both = await runAwaz(['restore', path, ...keys, '--all-damaged', '--recording', whole], env)
  expect([both.status, both.stderr]).toEqual([1, expect.stringContaining('Give one of --recording')])
})

test('every damaged recording is found and restored, what is whole is left alone', async () => {
  const { server, ids, sound, path } = await openBackedUp(4)
  const [missing = '', short = '', changed = ''] = ids
  await rm(pathOf(server, missing))
  await truncate(pathOf(server, short), 100)
  await writeFile(pathOf(server, changed), randomBytes(2_002))
  // Left behind by a restore that was killed.
  await writeFile(join(server.config.dataDir, 'audio', 'parts', `${missing}.part`), 'half')
  expect(await restore(server, { path, recordings: 'damaged' })).toEqual({
    [missing]: 'restored',
    [short]: 'restored',
    [changed]: 'restored',
  })
  for (const [n, id] of ids.entries()) expect(await readFile(pathOf(server, id))).toEqual(sound[n])
  expect(await readdir(join(server.config.dataDir, 'audio', 'parts'))).toEqual([])
})

test('sound that is unknown here, not in the backup or not what was uploaded is refused, and what is there stays', async () => {
  const { server, ownerId, ids, path, folder, record } = await openBackedUp(3)
  const [deleted = '', rotten = '', gone = ''] = ids
  const later = await storeRecording(server, ownerId, randomBytes(500))
  const faulty = await storeRecording(server, ownerId, randomBytes(700))
  await writeFile(pathOf(server, faulty), 'damaged before the next backup')
  const next = await backUpToFolder(folder, optionsFor(server, passphraseEncryption))
  for (const id of [later, rotten, gone]) await writeFile(pathOf(server, id), `what was left of ${id}`)
  const { queue, audioStore } = server.services.work
  expect(await removeRecording({ queue, audioStore }, ownerId, deleted)).toBe('removed')

  expect(await restore(server, { path, recordings: [deleted, 'no id', later] })).toEqual({
    [deleted]: 'it is unknown here, or was deleted',
    'no id': 'it is unknown here, or was deleted',
    [later]: 'the backup does not have its sound; try another one',
  })
  const blobOf = (id: string) => {
    const file = next.manifest.files.find((each) => each.path.includes(id))
    return blobPath(folder, file?.blob ?? '')
  }
  await writeFile(blobOf(rotten), 'something else')
  await rm(blobOf(gone))
  expect(await restore(server, { path: next.path, recordings: [faulty, rotten, gone, later] })).toEqual({
    [faulty]: 'its sound in the backup is not what was uploaded; try an older one',
    [rotten]: expect.stringMatching(/^its sound in the backup is damaged: /),
    [gone]: 'its sound in the backup is missing; try a copy of the backup folder',
    [later]: 'restored',
  })
  expect(await readFile(pathOf(server, faulty), 'utf8')).toBe('damaged before the next backup')
  for (const id of [rotten, gone]) expect(await readFile(pathOf(server, id), 'utf8')).toBe(`what was left of ${id}`)
  expect(record.recordings).toBe(3)
})

test('sound comes from an archive that holds everything itself, too', async () => {
  const { server, ids, sound } = await openBackedUp(3)
  const path = join(await temporaryFolder(), 'everything.tar.age')
  await backUpToStream(createWriteStream(path), optionsFor(server, passphraseEncryption))
  const lost = ids.slice(0, 2)
  for (const id of lost) await rm(pathOf(server, id))
  expect(await restore(server, { path, recordings: lost })).toEqual(
    Object.fromEntries(lost.map((id) => [id, 'restored'])),
  )
  for (const [n, id] of ids.entries()) expect(await readFile(pathOf(server, id))).toEqual(sound[n])
})

test('with AUDIO_STORE=gridfs sound is restored into the database, and a damaged file elsewhere is removed', async () => {
  const { server, ids, sound, path } = await openBackedUp(2, { config: { audioStore: 'gridfs' } })
  const [changed = '', moved = ''] = ids
  const { audioStore, queue } = server.services.work
  const chunks = queue.connection.collection('audio.chunks')
  await chunks.updateMany({}, { $set: { data: Buffer.alloc(2_000) } })
  await audioStore.remove({ id: moved, extension: 'wav' })
  await mkdir(dirname(pathOf(server, moved)), { recursive: true })
  await writeFile(pathOf(server, moved), 'left in the folder')
  expect(await restore(server, { path, recordings: 'damaged' })).toEqual({ [changed]: 'restored', [moved]: 'restored' })
  for (const [n, id] of ids.entries()) {
    const size = sound[n]?.length ?? 0
    const stored = await audioStore.read({ id, extension: 'wav' }, { start: 0, end: size - 1 })
    expect(await buffer(stored)).toEqual(sound[n])
  }
  await expect(stat(pathOf(server, moved))).rejects.toThrow('ENOENT')
})

test('a folder that is not that of the server is not written to', async () => {
  const { server, ids, path } = await openBackedUp(1)
  const audio = join(server.config.dataDir, 'audio')
  await markAudioStore(server.services.database.connection, audio, (error) => expect(error).toBeUndefined())
  await rm(audio, { recursive: true })
  await mkdir(audio)
  await expect(restore(server, { path, recordings: ids })).rejects.toThrow(
    'is not the folder in which the server keeps',
  )
  expect(await readdir(audio)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('what root restores belongs to the owner of the folder', async () => {
  const { server, ids, path } = await openBackedUp(1)
  const [id = ''] = ids
  const audio = join(server.config.dataDir, 'audio')
  await chown(audio, 65_534, 65_533)
  await rm(dirname(pathOf(server, id)), { recursive: true })
  expect(await restore(server, { path, recordings: ids })).toEqual({ [id]: 'restored' })
  for (const made of [pathOf(server, id), dirname(pathOf(server, id)), join(audio, 'parts')]) {
    const { uid, gid } = await stat(made)
    expect([made, uid, gid]).toEqual([made, 65_534, 65_533])
  }
})
