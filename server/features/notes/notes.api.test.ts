import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { maxNoteCharacters, maxNotesPerRecording } from '#contract/notes.ts'
import { listNotes } from '#data/notes/notes.ts'
import { openEvents } from '#testing/event-stream.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { fillWithNotes } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'

const { editing } = api
const unknownId = '0'.repeat(24)

let server: TestServer
let user: SignedInUser
let id: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  id = await uploadDialogue(server, user.accessToken)
})
afterAll(() => server.close())

const token = () => user.accessToken
const connection = () => server.services.database.connection
const add = (body: { time: number; text?: string }) =>
  server.call(editing.addNote, { params: { id }, body, token: token() })
const list = async () => (await server.call(editing.listNotes, { params: { id }, token: token() })).data.notes

describe('notes', () => {
  test('are added and listed in order of time; one without text is a bookmark', async () => {
    const late = await add({ time: 1.5, text: '  زه نن\r\nsaid\tangrily ' })
    expect(late).toMatchObject({ status: 201, data: { time: 1.5, text: 'زه نن\nsaid angrily' } })
    await add({ time: 0.25 })
    expect(await list()).toMatchObject([
      { time: 0.25, text: '' },
      { id: late.data.id, time: 1.5 },
    ])
  })

  test('are changed in text or time', async () => {
    const { data: note } = await add({ time: 1, text: 'first' })
    const params = { id, note_id: note.id }
    const change = (body: object) => server.call(editing.changeNote, { params, body, token: token() })
    expect((await change({ text: 'second' })).data).toMatchObject({ id: note.id, time: 1, text: 'second' })
    const moved = (await change({ time: 0.5 })).data
    expect(moved).toMatchObject({ time: 0.5, text: 'second', created_at: note.created_at })
    expect(moved.updated_at >= note.updated_at).toBe(true)
    expect(await list()).toEqual([moved])
  })

  test('at a line are flags, which keep its words', async () => {
    const line = { end: 1.5, channel: 0, text: 'is the bridge open' }
    const flag = await server.call(editing.addNote, {
      params: { id },
      body: { time: 1, text: 'ask', line },
      token: token(),
    })
    expect(flag).toMatchObject({ status: 201, data: { time: 1, text: 'ask', line } })
    const params = { id, note_id: flag.data.id }
    await server.call(editing.changeNote, { params, body: { text: 'asked' }, token: token() })
    expect(await list()).toMatchObject([{ text: 'asked', line }])
  })

  test('are deleted once', async () => {
    const { data: note } = await add({ time: 1 })
    const remove = () => server.call(editing.removeNote, { params: { id, note_id: note.id }, token: token() })
    expect((await remove()).data).toEqual({ message: 'Note deleted' })
    expect((await remove()).error).toMatchObject({ code: 'not_found', error: 'Note not found' })
    expect(await list()).toEqual([])
  })

  test('belong to one recording', async () => {
    const { data: note } = await add({ time: 1 })
    const params = { id: await uploadDialogue(server, token()), note_id: note.id }
    const changed = await server.call(editing.changeNote, { params, body: { text: 'x' }, token: token() })
    const removed = await server.call(editing.removeNote, { params, token: token() })
    expect([changed.error.code, removed.error.code]).toEqual(['not_found', 'not_found'])
  })

  test('need a recording that is there', async () => {
    const params = { id: unknownId, note_id: unknownId }
    const answers = await Promise.all([
      server.call(editing.listNotes, { params, token: token() }),
      server.call(editing.addNote, { params, body: { time: 0 }, token: token() }),
      server.call(editing.changeNote, { params, body: {}, token: token() }),
      server.call(editing.removeNote, { params, token: token() }),
    ])
    expect(answers.map(({ error }) => error.error)).toEqual(Array.from({ length: 4 }, () => 'Recording not found'))
  })

  test('stay within the recording; a browser may see its end a little later', async () => {
    expect((await add({ time: 2.4 })).data.time).toBe(2)
    const refused = await add({ time: 3.5 })
    expect(refused.error).toMatchObject({ code: 'invalid_input', error: 'The time is after the end of the recording' })
    const { data: note } = await add({ time: 1 })
    const body = { time: 100 }
    const moved = await server.call(editing.changeNote, { params: { id, note_id: note.id }, body, token: token() })
    expect(moved.error.code).toBe('invalid_input')
  })

  test.each([
    ['a control character', 'a\u0007b', 'A note has no control characters except line breaks'],
    ['too many characters', 'x'.repeat(maxNoteCharacters + 1), 'A note has at most 2000 characters'],
  ])('with %s are refused', async (_name, text, error) => {
    expect((await add({ time: 0, text })).error).toMatchObject({ code: 'invalid_input', error })
  })

  test('are limited in number', async () => {
    await fillWithNotes(server.services.work.queue, { ownerId: user.id, recordingId: id }, maxNotesPerRecording - 1)
    expect((await add({ time: 0 })).status).toBe(201)
    const refused = await add({ time: 0 })
    expect(refused.error).toMatchObject({ code: 'conflict', error: 'A recording has at most 1,000 notes' })
    expect(await list()).toHaveLength(maxNotesPerRecording)
  })

  test('are deleted with the recording and with the user', async () => {
    await add({ time: 1 })
    const owner = { ownerId: user.id, recordingId: id }
    await server.call(api.recordings.remove, { params: { id }, token: token() })
    expect(await listNotes(connection(), owner)).toEqual([])
    id = await uploadDialogue(server, token())
    await add({ time: 1 })
    await server.services.work.removeUserWork(user.id)
    expect(await listNotes(connection(), { ...owner, recordingId: id })).toEqual([])
  })

  test('announce themselves as a change that leaves the content as it is', async () => {
    const stream = await openEvents(server.url, token())
    const versions = () =>
      stream.events.flatMap((event) => (event.type === 'recording' && event.recording_id === id ? [event] : []))
    await add({ time: 1 })
    await vi.waitFor(() => expect(versions()).toHaveLength(1), 3000)
    await server.call(api.recordings.update, { params: { id }, body: { name: 'other.wav' }, token: token() })
    await vi.waitFor(() => expect(versions()).toHaveLength(2), 3000)
    stream.close()
    expect(versions().map((event) => event.content_version)).toEqual([1, 2])
  })
})
