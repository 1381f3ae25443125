import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { LineChange, LineEdits } from '#contract/line-edits.ts'
import type { Segment } from '#contract/transcription.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import { openEvents } from '#testing/event-stream.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { changeLines } from './change-lines.ts'
import { a, b, EditedRecording, editedSegments as segments, joined, lineAt, text } from './testing/edited-recording.ts'

const lineCount = segments.length

let server: TestServer
let call: EditedRecording

beforeAll(async () => {
  server = await startTestServer()
  call = new EditedRecording(server, await server.createSignedIn())
  await call.upload()
})
beforeEach(() => call.transcribe())
afterAll(() => server.close())

const token = () => call.user.accessToken
const change: EditedRecording['change'] = (...options) => call.change(...options)
const stored = () => call.stored()

/** Returns the original indexes, the text and the revision of each edit; the text is null for a line that was returned. */
function textsOf({ edits }: LineEdits) {
  return edits.map(({ from, lines, revision }) => [
    from.join(),
    lines?.map((line) => line.text).join('|') ?? null,
    revision,
  ])
}

describe('changed lines', () => {
  test('are corrected, split, joined and returned, each with the revision of its change', async () => {
    const corrected = await change([text(1, '  a\r\nb\u0007 c ')])
    expect(corrected).toMatchObject({ status: 200, data: { revision: 1 } })
    const halves = [
      { ...lineAt(2), end: 4.5, text: 'one' },
      { ...lineAt(2), start: 4.5, text: 'two', speaker: b },
    ]
    await change([{ from: [2], lines: halves }, joined(4, 6)], 1)
    const { data } = await change([{ from: [1], lines: null }], 2)
    expect(textsOf(data)).toEqual([
      ['1', null, 3],
      ['2', 'one|two', 2],
      ['4,6', 'joined', 2],
    ])
    expect(textsOf(corrected.data)).toEqual([['1', 'a b c', 1]])
    expect(await stored()).toEqual(data)
    const details = await call.details()
    expect(details.line_edits).toEqual(data)
    expect(details.transcription?.segments).toEqual(segments)
  })

  test('that are as the engine wrote them are returned to it, and never edited ones leave nothing', async () => {
    await change([text(1, 'changed')])
    const { data } = await change([text(1, 'line 1'), { from: [3], lines: null }], 1)
    expect(textsOf(data)).toEqual([['1', null, 2]])
    await call.transcribe()
    expect((await change([text(1, 'line 1'), { from: [2], lines: null }])).data).toEqual({ revision: 0, edits: [] })
  })

  test('belong to their transcription', async () => {
    await change([text(1, 'changed')])
    const before = call.transcriptionId
    await call.transcribe()
    expect(await stored()).toEqual({ revision: 0, edits: [] })
    await change([text(2, 'of an earlier version')], 1, { transcription_id: before })
    call.transcriptionId = before
    expect(textsOf(await stored())).toEqual([
      ['1', 'changed', 1],
      ['2', 'of an earlier version', 2],
    ])
  })

  test('tell other tabs that the recording changed', async () => {
    const stream = await openEvents(server.url, token())
    const changes = () =>
      stream.events.flatMap((event) =>
        event.type === 'recording' && event.recording_id === call.id ? [event.change] : [],
      )
    await change([text(1, 'changed')])
    await vi.waitFor(() => expect(changes()).toContain('changed'), 3000)
    stream.close()
  })
})

describe('changes at the same time', () => {
  test('of other lines are merged', async () => {
    await change([text(1, 'mine')])
    expect(textsOf((await change([text(2, 'theirs')], 0)).data)).toEqual([
      ['1', 'mine', 1],
      ['2', 'theirs', 2],
    ])
  })

  test.each<[string, LineChange, LineChange]>([
    ['corrected', text(1, 'first'), text(1, 'second')],
    ['joined', joined(1, 3), text(3, 'second')],
    ['joined with another', text(3, 'first'), joined(1, 3)],
    ['returned to the engine', { from: [1], lines: null }, text(1, 'second')],
  ])('of a line that was %s are a conflict, and nothing of the request is stored', async (_, first, second) => {
    await change([text(1, 'both saw this')])
    const { data } = await change([first], 1)
    const refused = await change([text(8, 'innocent'), second], 1)
    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({ code: 'conflict', help: expect.stringContaining('Load the recording again') })
    expect(await stored()).toEqual(data)
  })

  test('of a line that was seen are no conflict', async () => {
    await change([text(1, 'first')])
    expect((await change([text(1, 'second')], 1)).status).toBe(200)
    expect((await change([text(1, 'third')], 2)).status).toBe(200)
  })

  test('to the same are made once, as when an answer was lost', async () => {
    const { data } = await change([text(1, 'same')])
    expect(await change([text(1, 'same')])).toMatchObject({ status: 200, data })
  })

  test('from a revision that never was are a conflict', async () => {
    expect((await change([text(1, 'first')], 5)).error).toMatchObject({ code: 'conflict' })
  })

  test('twenty of different lines are all stored', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => change([text(index, `new ${index}`)])))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const { revision, edits } = await stored()
    expect(revision).toBe(20)
    expect(edits.map(({ lines }) => lines?.[0]?.text)).toEqual(Array.from({ length: 20 }, (_, index) => `new ${index}`))
    expect(new Set(edits.map((edit) => edit.revision)).size).toBe(20)
  })

  test('of twenty to the same lines one is stored as a whole', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change([text(1, `new ${index}`), text(2, `new ${index}`)])),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const won = answers.findIndex(({ status }) => status === 200)
    expect(textsOf(await stored())).toEqual([
      ['1', `new ${won}`, 1],
      ['2', `new ${won}`, 1],
    ])
  })
})

describe('a change is refused', () => {
  const times = (start: number, end: number): LineChange => ({ from: [1], lines: [{ ...lineAt(1), start, end }] })

  test.each<[string, LineChange[], string]>([
    ['of a line that is not there', [text(lineCount, 'x')], `This transcript has no line ${lineCount}`],
    ['of a line twice', [text(1, 'x'), text(1, 'y')], 'A line can be changed once in a request'],
    ['of lines out of order', [joined(3, 1)], 'The lines of a change must be named in their order'],
    ['of a line named twice', [joined(1, 1)], 'A line can be changed once in a request'],
    ['to a line without duration', [times(2, 2)], 'A line must end after it begins'],
    ['to a line that ends first', [times(3, 2)], 'A line must end after it begins'],
    ['to a line after the end', [times(2, 4)], 'A line must end within the recording'],
    [
      'to lines out of order',
      [{ from: [1], lines: [{ ...lineAt(1), start: 3 }, lineAt(1)] }],
      'Lines must be in order of time',
    ],
    ['to an empty line', [text(1, ' \n ')], 'A line must not be empty'],
    ['to a line that is too long', [text(1, 'x'.repeat(5_001))], 'A line has at most 5000 characters'],
    [
      'to a speaker who is not there',
      [{ from: [1], lines: [{ ...lineAt(1), speaker: 'Nobody' }] }],
      'This transcript has no speaker "Nobody"',
    ],
  ])('%s', async (_, changes, error) => {
    const refused = await change([text(0, 'fits'), ...changes])
    expect(refused.error).toMatchObject({ code: 'invalid_input', error })
    expect(await stored()).toEqual({ revision: 0, edits: [] })
  })

  test('of a part of what was edited together', async () => {
    await change([joined(1, 3)])
    const refused = await change([text(3, 'x')], 1)
    expect(refused.error).toMatchObject({
      code: 'invalid_input',
      error: 'Lines 1, 3 were edited together: a request must change all of them',
    })
    expect((await change([{ from: [1, 3, 5], lines: [{ ...lineAt(1), text: 'more' }] }], 1)).status).toBe(200)
    await change([{ from: [1, 3, 5], lines: null }], 2)
    expect(textsOf((await change([text(3, 'apart again')], 3)).data)).toEqual([
      ['1,5', null, 3],
      ['3', 'apart again', 4],
    ])
  })

  test('of nothing that was edited together, where several changes cover all of it', async () => {
    await change([joined(1, 3)])
    const { data } = await change([text(1, 'apart'), { from: [3], lines: null }], 1)
    expect(textsOf(data)).toEqual([
      ['1', 'apart', 2],
      ['3', null, 2],
    ])
  })

  test('where the transcript would become longer than can be translated', async () => {
    const long = Array.from({ length: 100 }, () => ({ ...lineAt(1), text: 'x'.repeat(5_000) }))
    await change([{ from: [1], lines: long }])
    await change([{ from: [2], lines: long.map((line) => ({ ...line, ...lineAt(2), text: line.text })) }], 1)
    const refused = await change([text(3, 'one more')], 2)
    expect(refused.error).toMatchObject({ code: 'invalid_input', error: expect.stringContaining('1000000 characters') })
  })

  test('for a transcription of another recording, an unknown one, and other work', async () => {
    const other = await uploadDialogue(server, token())
    const unknown = '0'.repeat(24)
    const body = { file_id: call.id, force: true }
    await server.call(api.audio.diarize, { body, token: token(), headers: { Prefer: 'respond-async' } })
    const dialogue = await finishNextJob(call.queue, { num_speakers: 0, dialogue_timeline: [] })
    const answers = [
      await change([text(1, 'x')], 0, { id: other }),
      await change([text(1, 'x')], 0, { transcription_id: unknown }),
      await change([text(1, 'x')], 0, { transcription_id: dialogue.id }),
    ]
    expect(answers.map(({ error }) => [error.code, error.error])).toEqual(
      answers.map(() => ['not_found', 'Transcription not found']),
    )
    const gone = await change([text(1, 'x')], 0, { id: unknown })
    expect(gone.error).toMatchObject({ code: 'not_found', error: 'Recording not found' })
  })

  test('to another user', async () => {
    const { accessToken } = await server.createSignedIn()
    const body = { transcription_id: call.transcriptionId, revision: 0, changes: [text(1, 'x')] }
    const refused = await server.call(api.editing.changeLines, { params: { id: call.id }, body, token: accessToken })
    expect(refused.error).toMatchObject({ code: 'not_found' })
    const own = await uploadDialogue(server, accessToken)
    const stolen = await server.call(api.editing.changeLines, { params: { id: own }, body, token: accessToken })
    expect(stolen.error).toMatchObject({ code: 'not_found', error: 'Transcription not found' })
  })
})

test('a line of the engine that has no duration, or ends after the recording, can be corrected', async () => {
  const odd: Segment[] = [
    { start: 1, end: 1, text: 'one', speaker: a },
    { start: 2, end: 99, text: 'two', speaker: b },
  ]
  await call.transcribe(makeTranscription({ segments: odd }))
  const changes = odd.map((segment, index) => ({ from: [index], lines: [{ ...segment, text: 'corrected' }] }))
  expect((await change(changes)).status).toBe(200)
})

test('where no line has a speaker, none can be given', async () => {
  await call.transcribe(
    makeTranscription({ segments: segments.map((segment) => ({ ...segment, speaker: undefined })) }),
  )
  expect((await change([text(1, 'x')])).error).toMatchObject({ error: 'This transcript has no speaker "Speaker B"' })
  const { speaker: _, ...line } = lineAt(1)
  expect((await change([{ from: [1], lines: [{ ...line, text: 'x' }] }])).status).toBe(200)
})

test('a change that a deletion overtakes leaves nothing', async () => {
  const user = await server.createSignedIn()
  const own = new EditedRecording(server, user)
  await own.upload()
  await own.transcribe()
  const recording = await requireRecording(own.queue.connection, user.id, own.id)
  await server.call(api.recordings.remove, { params: { id: own.id }, token: user.accessToken })
  const deps = { queue: own.queue, readWrittenLines: async () => ({ segments, speakers: [a, b] }) }
  const body = { transcription_id: own.transcriptionId, revision: 0, changes: [text(1, 'changed')] }
  await expect(changeLines(deps, recording, body)).rejects.toMatchObject({ code: 'not_found' })
  expect(await own.stored()).toEqual({ revision: 0, edits: [] })
})

test('changed lines go with the recording, and with the user', async () => {
  await change([text(1, 'changed')])
  await server.call(api.recordings.remove, { params: { id: call.id }, token: token() })
  expect(await stored()).toEqual({ revision: 0, edits: [] })
  await call.upload()
  await call.transcribe()
  await change([text(1, 'changed')])
  await server.services.work.removeUserWork(call.user.id)
  expect(await stored()).toEqual({ revision: 0, edits: [] })
})
