import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BSON } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/api.ts'
import { maxNotesPerRecording } from '#contract/notes.ts'
import { insertAlerts } from '#data/alerts/raised-alerts.ts'
import { hashFile } from '#data/hash-file.ts'
import { newId } from '#data/ids.ts'
import { oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import { insertWebhook } from '#data/webhooks/webhooks.ts'
import { createSealer } from '#server/security/sealer.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { startTestEngine } from '#testing/engine.ts'
import { makeWorkedOn } from '#testing/recording-with-work.ts'
import { isEndurance, roundCount } from '#testing/rounds.ts'
import type { SignedInUser, TestServer } from '#testing/server.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readBytes, upload, uploadDialogue } from '#testing/uploads.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { createDecrypter } from './read/archive-key.ts'
import { rehearseBackup } from './rehearse/rehearse-backup.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import {
  openRestored,
  openServer,
  optionsFor,
  passphrase,
  passphraseEncryption,
  readDatabase,
  storeRecording,
} from './testing/instance.ts'

const counts = { users: roundCount(20), recordings: roundCount(1000), people: 4 }
const sampleCall = join(import.meta.dirname, '..', '..', 'models', 'demo', 'sample-call.mp3')
const steps = { onStage: () => undefined, onProgress: () => undefined }

/** A case with its recording, notes, edits and transcript, an alert and a pending webhook; its owner has a second factor. */
async function addUser(server: TestServer): Promise<{ owner: SignedInUser; secret: string }> {
  const { owner, recordingId, jobId } = await makeWorkedOn(server)
  const { secret } = await enableTwoFactor(server, owner.accessToken)
  const { connection } = server.services.database
  const webhook = {
    id: newId(),
    ownerId: owner.id,
    url: 'https://hooks.invalid/awaz',
    events: ['alert.raised' as const],
  }
  const sealedSecret = createSealer(server.services.secrets.webhooks).seal('whsec_test', webhook.id)
  await insertWebhook(connection, { ...webhook, sealedSecret })
  await oweWebhooks(connection, owner.id, { key: newId(), type: 'alert.raised', data: { recording_id: recordingId } })
  const hit = { word: 'river', category: null, isSimilar: false, isTranslation: false, side: null, speaker: null }
  const shown = { language: null, sentence: 'river', markStart: 0, markEnd: 5, isDigestDue: false, timeMs: 1000 }
  const alert = { ...hit, ...shown, watchListId: newId(), jobId, key: newId() }
  await insertAlerts(connection, { ownerId: owner.id, recordingId }, [alert])
  return { owner, secret }
}

interface Person {
  id: string
  recordingId: string
  /** How many notes were acknowledged, and how many were begun. */
  answered: number
  begun: number
}

/** Adds numbered notes, one after the other, until the work ends. */
async function keepWriting(server: TestServer, person: Person, token: string, over: AbortSignal): Promise<void> {
  while (!over.aborted && person.begun < maxNotesPerRecording) {
    person.begun += 1
    const body = { time: 1, text: String(person.begun) }
    const { data } = await server.call(api.editing.addNote, { token, params: { id: person.recordingId }, body })
    person.answered = Number(data.text)
  }
}

async function startPeople(server: TestServer) {
  const over = new AbortController()
  const people: Person[] = []
  const work: Promise<void>[] = []
  for (let number = 0; number < counts.people; number++) {
    const { id, accessToken } = await server.createSignedIn()
    const recordingId = await uploadDialogue(server, accessToken)
    const person = { id, recordingId, answered: 0, begun: 0 }
    people.push(person)
    work.push(keepWriting(server, person, accessToken, over.signal))
  }
  const working = Promise.all(work)
  async function stop() {
    over.abort()
    await working
  }
  return { people, stop }
}

/** Starts the real engine, with enough calls to keep it transcribing throughout the test. */
async function startEngineAtWork(server: TestServer) {
  const { connection } = server.services.database
  const { accessToken: token } = await server.createSignedIn()
  const content = await readBytes(sampleCall)
  const engine = await startTestEngine({ connection, dataDir: server.config.dataDir })
  onTestFinished(() => engine.stop())
  const { body: uploaded } = await upload(server, token, { name: 'call.mp3', content })
  const body = { file_id: uploaded.file_id, language: 'ps' as const, channel_languages: ['ps' as const, 'en' as const] }
  await server.call(api.audio.transcribe, { token, body, headers: { Prefer: 'respond-async' } })
  await vi.waitUntil(() => engine.lines.some(({ msg }) => msg === 'job began'), { timeout: 60_000 })
  return engine
}

type Stored = Awaited<ReturnType<typeof readDatabase>>
const Note = z.object({ recordingId: z.unknown().transform(String), text: z.string() })

const parse = (hex: string) => BSON.deserialize(Buffer.from(hex, 'hex'))

/** Returns the documents of a collection that were the same before and after the backup. */
function findUnchanged(before: Stored, after: Stored, name: string): string[] {
  const later = new Set(after[name]?.documents)
  return before[name]?.documents.filter((document) => later.has(document)) ?? []
}

test(
  'a backup of an instance at work has every document and file of one moment, and all of it works when restored',
  { tags: ['rounds'], timeout: 180_000 + counts.recordings * 600 },
  async () => {
    const server = await openServer()
    const users = []
    for (let number = 0; number < counts.users; number++) users.push(await addUser(server))
    const { id: ownerId } = await server.createUser()
    const made = Object.keys(users).length + counts.people + 1
    for (let n = made; n < counts.recordings; n++) await storeRecording(server, ownerId, randomBytes(1_000 + n))
    const engine = await startEngineAtWork(server)
    const { people, stop } = await startPeople(server)
    await vi.waitUntil(() => people.every(({ answered }) => answered > 3), { timeout: 60_000 })

    const source = optionsFor(server, passphraseEncryption)
    const before = await readDatabase(source)
    const answered = people.map((person) => person.answered)
    const { path, record } = await backUpToFolder(await temporaryFolder(), source)
    const begun = people.map((person) => person.begun)
    const after = await readDatabase(source)
    await stop()
    await engine.stop()
    expect([record.recordings, record.faultyRecordings]).toEqual([expect.any(Number), 0])
    expect(record.recordings).toBeGreaterThanOrEqual(counts.recordings)

    const dataDir = await temporaryFolder()
    const decrypter = createDecrypter({ passphrase, identities: [] })
    await restoreBackup({ path, decrypter, dataDir, modelsDir: join(dataDir, 'models'), ...steps })
    const instance = await openRestored(dataDir)
    const restored = await readDatabase(instance)

    for (const name of Object.keys(before)) {
      const documents = new Set(restored[name]?.documents)
      const unchanged = findUnchanged(before, after, name)
      expect([name, unchanged.filter((document) => !documents.has(document))]).toEqual([name, []])
      expect(restored[name]?.indexes).toEqual(before[name]?.indexes)
    }
    const kinds = ['users', 'cases', 'alerts', 'webhooks', 'webhook_deliveries', 'notes', 'line_edits', 'recordings']
    for (const name of kinds) expect([name, findUnchanged(before, after, name).length > 0]).toEqual([name, true])

    const notes = restored.notes?.documents.map((hex) => Note.parse(parse(hex))) ?? []
    for (const [index, person] of people.entries()) {
      const numbers = notes.flatMap(({ recordingId, text }) => (recordingId === person.recordingId ? Number(text) : []))
      // All notes acknowledged before the backup and none begun after it, in the order they were written.
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(numbers, (_, n) => n + 1))
      expect(numbers.length).toBeGreaterThanOrEqual(answered[index] ?? 0)
      expect(numbers.length).toBeLessThanOrEqual(begun[index] ?? 0)
    }
    const files = (await readdir(join(dataDir, 'audio'), { recursive: true })).filter((name) => name.includes('.'))
    const recordings = restored.recordings?.documents.map(parse) ?? []
    expect(files.filter((name) => !name.endsWith('.store'))).toHaveLength(recordings.length)
    for (const { _id, extension, sha256 } of recordings) {
      const id = String(_id)
      const file = await hashFile(join(dataDir, 'audio', id.slice(-2), `${id}.${extension}`))
      expect([id, file.sha256]).toEqual([id, sha256])
    }
    expect(await readFile(join(dataDir, 'secrets', 'master-key'))).toEqual(
      await readFile(join(server.config.dataDir, 'secrets', 'master-key')),
    )

    const target = await openServer({ data: instance })
    for (const { owner, secret } of users) {
      const totp_token = await totp(target, secret, 1)
      const session = await signIn(target, { email: owner.email, password: owner.password, totp_token })
      expect((await target.call(api.cases.list, { token: session.access_token })).data.cases).toHaveLength(1)
    }
    // In `npm test`, smaller tests cover the rehearsal.
    const rehearsal = { path, decrypter, scratchDir: await temporaryFolder(), ...steps }
    const checks = isEndurance ? await rehearseBackup(rehearsal) : []
    expect(checks.filter(({ isPassed }) => !isPassed)).toEqual([])
  },
)
