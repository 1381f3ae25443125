import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { newId } from '#data/ids.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import { changeLines } from '#server/features/recordings/change-lines.ts'
import { createWrittenLinesReader } from '#server/features/recordings/written-lines.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { storeCall, transcribeCall } from '#testing/watched-library.ts'

let server: TestServer
let user: SignedInUser
let id: string
let transcriptionId: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  id = await storeCall(queue(), user.id)
  transcriptionId = await transcribeCall(queue(), user.id, id)
})
afterAll(() => server.close())

const queue = () => server.services.work.queue
const token = () => user.accessToken
const connection = () => server.services.database.connection

/** Makes a change based on the recording as read before it was moved to the trash, then restores the recording. */
async function changeInTrash(change: (recording: Awaited<ReturnType<typeof requireRecording>>) => Promise<unknown>) {
  const recording = await requireRecording(connection(), user.id, id)
  await server.call(api.library.remove, { body: { selection: { ids: [id] } }, token: token() })
  await change(recording)
  const restored = await server.call(api.library.restore, { body: { ids: [id] }, token: token() })
  expect(restored.data).toEqual({ restored: 1 })
}

test('a note that is written as its recording is moved to the trash costs no other note', async () => {
  const { addNote, listNotes } = api.editing
  await server.call(addNote, { params: { id }, body: { time: 1, text: 'first' }, token: token() })
  await changeInTrash((recording) => server.services.notes.add(recording, { time: 2, text: 'second' }))
  const { notes } = (await server.call(listNotes, { params: { id }, token: token() })).data
  expect(notes.map(({ text }) => text)).toEqual(['first', 'second'])
})

test('a hit that is reviewed as its recording is moved to the trash leaves the others reviewed', async () => {
  const { notes } = server.services
  const recording = await requireRecording(connection(), user.id, id)
  await notes.review(recording, { hits: ['first'], isReviewed: true })
  await changeInTrash((removed) => notes.review(removed, { hits: ['second'], isReviewed: true }))
  const { reviewed } = (await server.call(api.editing.listReviewedHits, { params: { id }, token: token() })).data
  expect(reviewed).toEqual(['first', 'second'])
})

test('lines that are edited as their recording is moved to the trash keep all edits', async () => {
  const deps = { queue: queue(), readWrittenLines: createWrittenLinesReader(queue()) }
  const edit = (line: number, revision: number) => ({
    transcription_id: transcriptionId,
    revision,
    changes: [{ from: [line], lines: [{ start: line * 10, end: line * 10 + 3, text: `edited ${line} ${newId()}` }] }],
  })
  await changeLines(deps, await requireRecording(connection(), user.id, id), edit(0, 0))
  await changeInTrash((recording) => changeLines(deps, recording, edit(1, 1)))
  const { data } = await server.call(api.recordings.get, { params: { id }, token: token() })
  expect(data.line_edits.edits.map(({ from }) => from)).toEqual([[0], [1]])
})
