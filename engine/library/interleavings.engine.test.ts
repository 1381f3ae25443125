import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { changeTags } from '#data/library/tags.ts'
import { moveToTrash, restoreFromTrash } from '#data/library/trash.ts'
import { saveLineEdits } from '#data/line-edits/line-edits.ts'
import { insertNote } from '#data/notes/notes.ts'
import { markAnnotated, markChanged } from '#data/recordings/annotations.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { renameRecording } from '#data/recordings/recordings.ts'
import { purgeRemoved, removeRecording } from '#data/recordings/remove.ts'
import { createTestDatabase, hasDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { createViews } from '#testing/derived-view.ts'
import { openLibraryFollower } from '#testing/library.ts'
import { isEndurance } from '#testing/rounds.ts'
import { openSteppedDatabase, type SteppedDatabase } from '#testing/stepped-database.ts'
import { makeWatchingOwner, storeCall, transcribeCall, watchedWord } from '#testing/watched-library.ts'

/** A recording of an owner who has nothing else. */
interface Call {
  ownerId: string
  id: string
  /** The last transcription; empty before the first. */
  transcriptionId: string
}

type Act = (queue: Queue, call: Call) => Promise<unknown>

let database: TestDatabase
let stepped: SteppedDatabase
let queue: Queue
let audioStore: AudioStore
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
  folder = await mkdtemp(join(tmpdir(), 'awaz-audio-'))
  audioStore = await openDiskStore(folder)
  if (hasDatabaseClock) stepped = await openSteppedDatabase(database)
})
afterAll(async () => {
  if (hasDatabaseClock) await stepped.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const remove: Act = (on, { ownerId, id }) => moveToTrash(on, ownerId, [id])
const restore: Act = (on, { ownerId, id }) => restoreFromTrash(on, ownerId, [id])
const removeForGood: Act = (on, { ownerId, id }) => removeRecording({ queue: on, audioStore }, ownerId, id)
const rename: Act = ({ connection }, { ownerId, id }) => renameRecording(connection, ownerId, id, 'renamed.wav')
const transcribe: Act = (on, { ownerId, id }) => transcribeCall(on, ownerId, id)
const tag: Act = ({ connection }, { ownerId, id }) =>
  changeTags(connection, ownerId, { ids: [id], add: ['urgent'], remove: [] })
const note: Act = async ({ connection }, { ownerId, id: recordingId }) => {
  await insertNote(connection, { ownerId, recordingId }, { timeMs: 0, text: 'heard twice' })
  await markAnnotated(connection, { ownerId, recordingId })
}
/** Removes the watched word from the first line. */
const edit: Act = async ({ connection }, { ownerId, id: recordingId, transcriptionId }) => {
  const edits = [{ from: [0], lines: [{ start: 0, end: 3, text: 'we meet at noon' }], revision: 1 }]
  await saveLineEdits(connection, { ownerId, recordingId, transcriptionId }, { revision: 1, edits })
  await markChanged(connection, { ownerId, recordingId })
}
/** Purges the recording after its time in the trash has expired. */
const purge: Act = async (on, { id }) => {
  const due = { _id: toObjectId(id), purgeAt: { $gt: new Date(0) } }
  await recordingModel(queue.connection).updateOne(due, { $set: { purgeAt: new Date(1) } })
  await purgeRemoved({ queue: on, audioStore })
}

const acts = { remove, restore, removeForGood, rename, transcribe, tag, note, edit, purge }
type ActName = keyof typeof acts

/** Stores a call with a settled transcription, unless the act transcribes it, and in the trash if the act removes it from there. */
async function prepare(first: ActName, settle: () => Promise<void>): Promise<Call> {
  const ownerId = await makeWatchingOwner(queue)
  const call = { ownerId, id: await storeCall(queue, ownerId), transcriptionId: '' }
  if (first !== 'transcribe') call.transcriptionId = await transcribeCall(queue, ownerId, call.id)
  await settle()
  if (first === 'restore' || first === 'purge') await remove(queue, call)
  if (first === 'restore' || first === 'purge') await settle()
  return call
}

async function expectWhole(ownerId: string, at: string): Promise<void> {
  const views = createViews(queue, watchedWord)
  expect({ at, ...(await views.shown(ownerId)) }).toEqual({ at, ...(await views.expected(ownerId)) })
}

/**
 * Returns the number of the next command to pause at: in `npm test` the fourth after the first, then every tenth. The bug with
 * removals was in the first few commands.
 */
function nextCommand(number: number, everyCommand: boolean): number {
  if (everyCommand) return number + 1
  return number === 1 ? 4 : number + 10
}

/** Runs a case paused at each command in turn, until there are no more commands. Returns how many were tried. */
async function atEachCommand(
  run: (number: number) => Promise<boolean>,
  { everyCommand = isEndurance }: { everyCommand?: boolean } = {},
): Promise<number> {
  let tried = 0
  for (let number = 1; await run(number); number = nextCommand(number, everyCommand)) tried += 1
  return tried
}

describe.runIf(hasDatabaseClock)('what is derived equals the recordings in the end', { tags: ['rounds'] }, () => {
  const whileFollowed: [handled: ActName, meanwhile: ActName][] = [
    ['remove', 'restore'],
    ['restore', 'remove'],
    ['transcribe', 'remove'],
    ['transcribe', 'removeForGood'],
    ['edit', 'remove'],
    ['edit', 'transcribe'],
    ['rename', 'tag'],
    ['remove', 'purge'],
    ['restore', 'removeForGood'],
  ]

  test.each(whileFollowed)(
    'wherever the follower stands that handles %s when %s happens',
    async (handled, meanwhile) => {
      const follower = openLibraryFollower(stepped.queue.connection)
      await follower.settle()
      const commands = await atEachCommand(async (number) => {
        const call = await prepare(handled, follower.settle)
        await acts[handled](queue, call)
        const isReached = await stepped.runWith(number, follower.poll, () => acts[meanwhile](queue, call))
        if (!isReached) await acts[meanwhile](queue, call)
        await follower.settle()
        await expectWhole(call.ownerId, `command ${number}`)
        return isReached
      })
      expect(commands).toBeGreaterThan(0)
    },
  )

  test('wherever the follower stands that handles a removed batch when all of it is restored', async () => {
    const follower = openLibraryFollower(stepped.queue.connection)
    await follower.settle()
    const run = async (number: number) => {
      const ownerId = await makeWatchingOwner(queue)
      const ids = [await storeCall(queue, ownerId), await storeCall(queue, ownerId)]
      for (const id of ids) await transcribeCall(queue, ownerId, id)
      await follower.settle()
      await moveToTrash(queue, ownerId, ids)
      const isReached = await stepped.runWith(number, follower.poll, () => restoreFromTrash(queue, ownerId, ids))
      if (!isReached) await restoreFromTrash(queue, ownerId, ids)
      await follower.settle()
      await expectWhole(ownerId, `command ${number}`)
      return isReached
    }
    expect(await atEachCommand(run, { everyCommand: true })).toBeGreaterThan(3)
  })

  const whileActing: [act: ActName, meanwhile: ActName | null][] = [
    ['remove', null],
    ['remove', 'restore'],
    ['restore', null],
    ['restore', 'remove'],
    ['restore', 'purge'],
    ['edit', 'remove'],
    ['note', 'remove'],
    ['tag', 'remove'],
    ['tag', 'rename'],
    ['rename', 'remove'],
    ['transcribe', 'removeForGood'],
    ['removeForGood', null],
    ['purge', 'restore'],
  ]

  test.each(whileActing)('wherever %s stands when %s happens and everything is followed', async (name, meanwhile) => {
    const follower = openLibraryFollower(queue.connection)
    await follower.settle()
    const commands = await atEachCommand(async (number) => {
      const call = await prepare(name, follower.settle)
      const act = () => acts[name](stepped.queue, call)
      const isReached = await stepped.runWith(number, act, async () => {
        if (meanwhile) await acts[meanwhile](queue, call)
        await follower.settle()
      })
      await follower.settle()
      await expectWhole(call.ownerId, `command ${number}`)
      return isReached
    })
    expect(commands).toBeGreaterThan(0)
  })
})
