import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BSON, MongoClient } from 'mongodb'
import { expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { addPasskey, signInWithPasskey } from '#server/features/passkeys/testing/passkeys.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { sendPart, sendWhole } from '#testing/resumable-uploads.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { makeDialogue, uploadDialogue } from '#testing/uploads.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { createDecrypter } from './read/archive-key.ts'
import { openMongo } from './source/database-snapshot.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import {
  passphraseEncryption,
  openRestored,
  openServer,
  optionsFor,
  passphrase,
  readDatabase,
  readFiles,
  storeRecording,
} from './testing/instance.ts'

const steps = { onStage: () => undefined, onProgress: () => undefined }
const keys = { passphrase, identities: [] }

async function restore(path: string) {
  const dataDir = await temporaryFolder()
  const decrypter = createDecrypter(keys)
  const restored = await restoreBackup({ path, decrypter, dataDir, modelsDir: join(dataDir, 'models'), ...steps })
  return { ...restored, instance: await openRestored(dataDir) }
}

test('a restored instance has every document and every file, byte by byte', async () => {
  const server = await openServer()
  const { id: ownerId, accessToken } = await server.createSignedIn()
  await uploadDialogue(server, accessToken)
  for (let n = 0; n < 20; n++) await storeRecording(server, ownerId, randomBytes(1_000 + n))
  await writeFile(join(server.config.dataDir, 'terms.md'), '# Our terms')
  const source = { uri: server.databaseUri, dbName: optionsFor(server).dbName }
  const [documents, files] = [await readDatabase(source), await readFiles(server.config.dataDir)]

  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server, passphraseEncryption))
  const { instance, manifest } = await restore(path)
  expect(await readDatabase(instance)).toEqual(documents)
  expect(await readFiles(instance.dataDir)).toEqual(files)
  expect(Object.keys(files)).toContain('secrets/master-key')
  expect(manifest.database).toMatchObject({ engine: 'embedded', isPointInTime: true })
  expect([manifest.missingAudio, manifest.damagedAudio]).toEqual([[], []])
  for (const name of ['secrets', 'secrets/master-key', 'audio', 'db/awaz.sqlite']) {
    expect([name, (await stat(join(instance.dataDir, name))).mode & 0o077]).toEqual([name, 0])
  }
})

test('an unfinished upload is restored without what it had received, and begins at 0', async () => {
  const server = await openServer()
  const { id: userId, accessToken } = await server.createSignedIn()
  const file = { name: 'call.wav', content: makeDialogue() }
  const { id } = await sendWhole(server, accessToken, file)
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server, passphraseEncryption))
  const { instance, manifest } = await restore(path)
  expect([manifest.missingAudio, manifest.damagedAudio]).toEqual([[], []])
  const restored = await openServer({ data: instance })
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const session = await restored.services.sessions.start({ userId, isRemembered: false, isBrowser: false, origin })
  const caller = { params: { id }, token: session.accessToken }
  expect((await restored.call(api.uploads.get, caller)).data).toMatchObject({ name: 'call.wav', received: 0 })
  await sendPart(restored, session.accessToken, { id, offset: 0, bytes: file.content })
  expect((await restored.call(api.uploads.finish, caller)).data.duration).toBe(2)
})

test('the driver reads every document of a database as it is stored, recordings first', async () => {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  for (let n = 0; n < 30; n++) await storeRecording(server, ownerId, randomBytes(100))
  const { uri, dbName } = optionsFor(server)
  const client = await new MongoClient(uri).connect()
  const snapshot = await openMongo(client, client.db(dbName))
  expect(snapshot.collections[0]?.name).toBe('recordings')
  const stored = await readDatabase({ uri, dbName })
  expect(snapshot.collections.map(({ name }) => name).toSorted()).toEqual(Object.keys(stored))
  for (const { name, documents } of snapshot.collections) {
    const read: string[] = []
    for await (const { body } of documents()) read.push(Buffer.from(body).toString('hex'))
    expect([name, read.toSorted()]).toEqual([name, stored[name]?.documents.toSorted()])
  }
  await snapshot.close()
})

test('a backup restores into a database by its address, which must be empty', async () => {
  const server = await openServer()
  await server.createUser()
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const [dataDir, other] = [await temporaryFolder(), await openServer()]
  const target = { uri: other.databaseUri, dbName: `restored${Date.now()}` }
  const into = (mongodb: { uri: string; dbName: string }) =>
    restoreBackup({ path, dataDir, modelsDir: join(dataDir, 'models'), mongodb, ...steps })
  await expect(into(optionsFor(other))).rejects.toThrow('holds documents already')
  expect(await readdir(dataDir)).toEqual([])
  await into(target)
  const { uri, dbName } = optionsFor(server)
  expect(await readDatabase(target)).toEqual(await readDatabase({ uri, dbName }))
  expect(await readdir(dataDir)).not.toContain('db')
  const client = await new MongoClient(target.uri).connect()
  await client.db(target.dbName).dropDatabase()
  await client.close()
})

test('password, second factor, passkey and API key work on a restored instance, and audio is played', async () => {
  const server = await openServer()
  const user = await server.createSignedIn()
  const { key } = await addPasskey(server, user)
  const { secret } = await enableTwoFactor(server, user.accessToken)
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const newKey = { name: 'archive', scope: 'read' as const, expiresAt: new Date(server.clock.now() + 86_400_000) }
  const apiKey = await server.services.apiKeys.create(await server.services.users.get(user.id), newKey, origin)
  const fileId = await uploadDialogue(server, user.accessToken)
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const { instance } = await restore(path)
  const { passkeys } = await readDatabase(instance)
  expect(passkeys?.documents).toHaveLength(1)
  expect(passkeys).toEqual((await readDatabase(optionsFor(server))).passkeys)

  const restored = await openServer({ data: instance })
  const totp_token = await totp(restored, secret, 1)
  const { access_token: token } = await signIn(restored, { email: user.email, password: user.password, totp_token })
  expect((await signInWithPasskey(restored, key)).data).toMatchObject({ user: { email: user.email } })
  for (const caller of [token, apiKey.token]) {
    const audio = await restored.call(api.audio.play, { params: { id: fileId }, token: caller })
    expect(audio.status).toBe(200)
  }
})

test('a backup made while people write is of one moment, with the audio of everything in it', async () => {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  const before = [await storeRecording(server, ownerId, randomBytes(5_000))]
  const written: string[] = []
  const end = new AbortController()
  const writing = (async () => {
    while (!end.signal.aborted) written.push(await storeRecording(server, ownerId, randomBytes(2_000)))
  })()
  await vi.waitUntil(() => written.length > 10, { timeout: 30_000 })
  before.push(...written)
  const { path, manifest } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  end.abort()
  await writing

  const { instance } = await restore(path)
  const { recordings } = await readDatabase(instance)
  const ids = recordings?.documents.map((hex) => BSON.deserialize(Buffer.from(hex, 'hex'))._id.toHexString()) ?? []
  expect(ids).toEqual(expect.arrayContaining(before))
  // A prefix of the recordings, in the order they were written.
  const all = [before[0], ...written]
  expect(ids.toSorted()).toEqual(all.slice(0, ids.length).toSorted())
  const audio = Object.keys(await readFiles(join(instance.dataDir, 'audio')))
  expect(audio.toSorted()).toEqual(ids.map((id) => `${id.slice(-2)}/${id}.wav`).toSorted())
  expect(manifest.missingAudio).toEqual([])
})

test('audio that is deleted during the backup is in it, and gone from the server afterwards', async () => {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  const id = await storeRecording(server, ownerId, Buffer.from('audio to keep'))
  const { queue, audioStore } = server.services.work
  const options = optionsFor(server)
  let deletion: ReturnType<typeof removeRecording> | undefined
  const progress = {
    ...options.progress,
    // The first stage after the point in time of the database backup.
    begin: (stage: string) =>
      void (stage.startsWith('Storing') && (deletion = removeRecording({ queue, audioStore }, ownerId, id))),
  }
  const { path, manifest } = await backUpToFolder(await temporaryFolder(), { ...options, progress })
  expect(await deletion).toBe('removed')
  expect(manifest.missingAudio).toEqual([])
  const { instance } = await restore(path)
  expect(Object.values(await readFiles(join(instance.dataDir, 'audio')))).toEqual([
    Buffer.from('audio to keep').toString('base64'),
  ])
  expect(await readdir(join(server.config.dataDir, 'audio'))).not.toContain('.snapshot')
  expect(Object.keys(await readFiles(join(server.config.dataDir, 'audio')))).toEqual([])
})

test('audio that is missing or damaged is counted, and everything else is backed up', async () => {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  const content = [Buffer.from('whole'), Buffer.from('missing'), Buffer.from('damaged')]
  const [whole, missing = '', damaged = ''] = await Promise.all(
    content.map((bytes) => storeRecording(server, ownerId, bytes)),
  )
  const pathOf = (id: string) => join(server.config.dataDir, 'audio', id.slice(-2), `${id}.wav`)
  await rm(pathOf(missing))
  await writeFile(pathOf(damaged), 'dAmaged')
  const { record, path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  expect(record).toMatchObject({ recordings: 2, faultyRecordings: 2 })
  const { manifest, instance } = await restore(path)
  expect([manifest.missingAudio, manifest.damagedAudio]).toEqual([[missing], [damaged]])
  expect(Object.keys(await readFiles(join(instance.dataDir, 'audio'))).toSorted()).toEqual(
    [whole, damaged].map((id = '') => `${id.slice(-2)}/${id}.wav`).toSorted(),
  )
})
