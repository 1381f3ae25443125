import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { AppError } from '#contract/app-error.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { setCaseHold } from '#data/holds/case-holds.ts'
import { setRecordingHold } from '#data/holds/recording-holds.ts'
import { removePart } from '#data/holds/removals.ts'
import { toObjectId } from '#data/ids.ts'
import { insertNote, listNotes } from '#data/notes/notes.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { removeRecording, removeUserWork } from '#data/recordings/remove.ts'
import { storeDocument } from '#testing/recordings.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const rounds = roundCount(120)

// Holds that are set at the moment of a deletion.
let server: TestServer
let owner: SignedInUser
let caseId: string

const queue = () => server.services.work.queue
const connection = () => server.services.database.connection
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createSignedIn()
  caseId = (await server.call(api.cases.create, { token: owner.accessToken, body: { name: 'Bridge' } })).data.id
})
afterAll(() => server.close())

async function storeRecording(): Promise<string> {
  return (await storeDocument(connection(), { ownerId: owner.id })).id
}

function addToCase(ids: string[]) {
  const body = { selection: { ids } }
  return server.call(api.cases.addRecordings, { params: { id: caseId }, body, token: owner.accessToken })
}

/** Runs a deletion while a hold is being set, a little later each round. Returns both results. */
async function race<Held, Removed>(round: number, set: () => Promise<Held>, remove: () => Promise<Removed>) {
  async function removeLater() {
    for (let delay = 0; delay < round % 12; delay += 1) await readDatabaseTime(connection())
    return remove()
  }
  return Promise.all([set(), removeLater()])
}

const newHold = () => ({ reason: 'now', setBy: owner.id, isByAdmin: false })
const readStored = (id: string) => recordingModel(connection()).findById(toObjectId(id)).lean()

test(
  'a hold and a deletion at the same moment: either the recording is gone, or it is held with everything',
  { tags: ['rounds'], timeout: 30_000 + rounds * 1_000 },
  async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const id = await storeRecording()
      const set = () => setRecordingHold(queue(), id, newHold())
      const [held, outcome] = await race(round, set, () => removeRecording(stores(), owner.id, id))
      outcomes.add(outcome)
      const stored = await readStored(id)
      expect({ isHeld: held !== null, isThere: stored?.deletedAt === null, name: stored?.name }).toEqual(
        outcome === 'held'
          ? { isHeld: true, isThere: true, name: 'call.wav' }
          : { isHeld: false, isThere: false, name: '' },
      )
    }
    expect([...outcomes].toSorted()).toEqual(['held', 'removed'])
  },
)

test(
  'the hold of a case and a deletion at the same moment: each recording is either gone, or held with everything',
  { tags: ['rounds'], timeout: 30_000 + rounds * 1_000 },
  async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const id = await storeRecording()
      await addToCase([id])
      const set = () => setCaseHold(queue(), caseId, newHold())
      outcomes.add((await race(round, set, () => removeRecording(stores(), owner.id, id)))[1])
      const stored = await readStored(id)
      const isThere = stored?.deletedAt === null
      const again = await removeRecording(stores(), owner.id, id)
      expect({ again, name: stored?.name }).toEqual(
        isThere ? { again: 'held', name: 'call.wav' } : { again: 'missing', name: '' },
      )
      await server.call(api.holds.liftOfCase, {
        params: { id: caseId },
        body: { reason: 'over' },
        token: owner.accessToken,
      })
    }
    expect([...outcomes].toSorted()).toEqual(['held', 'removed'])
  },
)

test(
  'a hold and the deletion of the account at the same moment: either all is gone, or the recording keeps its notes',
  { tags: ['rounds'], timeout: 30_000 + rounds * 1_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { id: ownerId } = await server.createUser()
      const { id } = await storeDocument(connection(), { ownerId })
      await insertNote(connection(), { ownerId, recordingId: id }, { timeMs: 0, text: 'a note' })
      const set = () => setRecordingHold(queue(), id, newHold())
      const removeAll = () =>
        removeUserWork(stores(), ownerId).then(
          () => 'removed',
          (error: AppError) => error.code,
        )
      const [held, outcome] = await race(round, set, removeAll)
      const notes = await listNotes(connection(), { ownerId, recordingId: id })
      expect({ outcome, notes: notes.length, stored: (await readStored(id))?.deletedAt }).toEqual(
        held ? { outcome: 'on_hold', notes: 1, stored: null } : { outcome: 'removed', notes: 0, stored: undefined },
      )
    }
  },
)

test('a hold waits for a note that is being deleted, and the next one is refused', async () => {
  const recordingId = await storeRecording()
  const events: string[] = []
  const part = { ownerId: owner.id, recordingId }
  let finish: () => void = () => undefined
  const started = new Promise<void>((begun) => {
    void removePart(connection(), part, async () => {
      begun()
      await new Promise<void>((resolve) => (finish = resolve))
      events.push('removed')
    })
  })
  await started
  const holding = setRecordingHold(queue(), recordingId, { reason: 'now', setBy: owner.id, isByAdmin: false })
  const acknowledged = holding.then(() => events.push('held'))
  await expect
    .poll(async () => (await recordingModel(connection()).findById(toObjectId(recordingId)).lean())?.hold)
    .toBeTruthy()
  await expect(removePart(connection(), part, () => Promise.resolve())).rejects.toMatchObject({ code: 'on_hold' })
  expect(events).toEqual([])
  finish()
  await acknowledged
  expect(events).toEqual(['removed', 'held'])
})
