import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { MarkedLine } from '#contract/line-marks.ts'
import { findLineMarks } from '#data/line-marks/line-marks.ts'
import { openEvents } from '#testing/event-stream.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { EditedRecording, editedSegments, text } from '../recordings/testing/edited-recording.ts'

const { review } = api

let server: TestServer
let user: SignedInUser
let member: SignedInUser
let call: EditedRecording
let caseId: string

beforeAll(async () => {
  server = await startTestServer()
  member = await server.createSignedIn()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  call = new EditedRecording(server, user)
  await call.upload()
  await call.transcribe()
  caseId = (await server.call(api.cases.create, { token: user.accessToken, body: { name: 'Harbour' } })).data.id
  const body = { email: member.email, role: 'edit' as const }
  await server.call(api.cases.setMember, { params: { id: caseId }, body, token: user.accessToken })
  await server.call(api.cases.addRecordings, {
    params: { id: caseId },
    body: { selection: { ids: [call.id] } },
    token: user.accessToken,
  })
})
afterAll(() => server.close())

function lineAt(index: number): MarkedLine {
  const { start = 0, end = 0, text = '' } = editedSegments[index] ?? {}
  return { start, end, text }
}

interface Marking {
  is_verified?: boolean
  doubt?: { is_uncertain: boolean; reason?: string } | null
}

const mark = (lines: MarkedLine[], body: Marking, by = user) =>
  server.call(review.markLines, { params: { id: call.id }, body: { lines, ...body }, token: by.accessToken })
const list = async () =>
  (await server.call(review.listMarks, { params: { id: call.id }, token: user.accessToken })).data.marks
const stored = () => findLineMarks(server.services.database.connection, { ownerId: user.id, recordingId: call.id })
const progress = async () => {
  const [recording] = (await server.call(api.library.list, { token: user.accessToken })).data.recordings
  return recording?.progress
}

describe('verified lines', () => {
  test('say by whom and when; a second reader is named beside the first', async () => {
    expect(await list()).toEqual([])
    const { data } = await mark([lineAt(0)], { is_verified: true })
    const first = {
      by: { id: user.id, name: expect.stringMatching(/./) as string },
      at: expect.stringMatching(/^\d{4}-/) as string,
    }
    expect(data.marks).toEqual([{ ...lineAt(0), verified: [first], doubt: null }])
    await mark([lineAt(0)], { is_verified: true }, member)
    expect((await list())[0]?.verified.map(({ by }) => by.id)).toEqual([user.id, member.id])
    expect(await progress()).toEqual({ heard: 0, verified: 1 / 24, verified_twice: 1 / 24 })
  })

  test('sort the library of the owner, whoever verified them', async () => {
    const newer = new EditedRecording(server, user)
    await newer.upload()
    const order = async () => {
      const query = { sort: 'verified' } as const
      const { recordings } = (await server.call(api.library.list, { query, token: user.accessToken })).data
      return recordings.map(({ id }) => id)
    }
    expect(await order()).toEqual([newer.id, call.id])
    await mark([lineAt(0)], { is_verified: true }, member)
    expect(await order()).toEqual([call.id, newer.id])
    await mark([lineAt(0)], { is_verified: false }, member)
    expect(await order()).toEqual([newer.id, call.id])
  })

  test('once more is no change', async () => {
    const [first] = (await mark([lineAt(0)], { is_verified: true })).data.marks
    const { revision } = await stored()
    expect((await mark([lineAt(0), lineAt(0)], { is_verified: true })).data.marks).toEqual([first])
    expect((await stored()).revision).toBe(revision)
  })

  test('are taken back by whoever verified them, and leave nothing', async () => {
    await mark([lineAt(0), lineAt(1)], { is_verified: true })
    await mark([lineAt(0)], { is_verified: false }, member)
    expect(await list()).toHaveLength(2)
    expect((await mark([lineAt(0)], { is_verified: false })).data.marks).toEqual([])
    expect((await list()).map((each) => each.text)).toEqual(['line 1'])
  })

  test('are taken back where the version has other lines of the same time', async () => {
    await mark([lineAt(0)], { is_verified: true })
    const half = { ...lineAt(0), end: 0.8, text: 'line' }
    expect((await mark([half], { is_verified: false })).data.marks).toEqual([])
    expect(await list()).toEqual([])
  })

  test('of two people at once are all kept', async () => {
    const lines = Array.from({ length: 6 }, (_, index) => lineAt(index))
    await Promise.all(
      lines.flatMap((line) => [mark([line], { is_verified: true }), mark([line], { is_verified: true }, member)]),
    )
    expect((await list()).map(({ verified }) => verified.length)).toEqual([2, 2, 2, 2, 2, 2])
  })

  test('are counted again for an edited text when it is opened', async () => {
    await mark([lineAt(0), lineAt(1)], { is_verified: true })
    await call.change([text(1, 'corrected')])
    await list()
    expect(await progress()).toMatchObject({ verified: 1 / 24 })
  })

  test('stay with another version of the transcript', async () => {
    await mark([lineAt(0), lineAt(1)], { is_verified: true })
    await call.transcribe()
    await list()
    expect(await progress()).toMatchObject({ verified: 2 / 24 })
  })

  test('announce themselves as a change that leaves the content as it is', async () => {
    const stream = await openEvents(server.url, member.accessToken)
    await mark([lineAt(0)], { is_verified: true })
    const isTold = (event: (typeof stream.events)[number]) =>
      event.type === 'recording' && event.recording_id === call.id
    await vi.waitFor(() => expect(stream.events.some(isTold)).toBe(true), 3000)
    stream.close()
  })
})

describe('doubt', () => {
  test('is set with a reason, cleared, and left to the model again', async () => {
    const { data } = await mark([lineAt(2)], { doubt: { is_uncertain: true, reason: ' a name\n\u0007 perhaps ' } })
    expect(data.marks[0]?.doubt).toMatchObject({ is_uncertain: true, reason: 'a name perhaps', by: { id: user.id } })
    const cleared = (await mark([lineAt(2)], { doubt: { is_uncertain: false } }, member)).data.marks[0]?.doubt
    expect(cleared).toMatchObject({ is_uncertain: false, reason: '', by: { id: member.id } })
    expect((await mark([lineAt(2)], { doubt: null })).data.marks).toEqual([])
  })

  test('leaves the verification of the line', async () => {
    await mark([lineAt(2)], { is_verified: true, doubt: { is_uncertain: true } })
    expect((await mark([lineAt(2)], { doubt: null })).data.marks).toMatchObject([{ verified: [{}], doubt: null }])
  })
})

test('a line that ends before it begins is refused', async () => {
  const error = 'A line must not end before it begins'
  const refused = await mark([{ start: 2, end: 1, text: 'x' }], { is_verified: true })
  expect(refused.error).toMatchObject({ code: 'invalid_input', error })
})

test('members see how much of a case was read; others do not', async () => {
  const progressOf = (as: SignedInUser) =>
    server.call(api.cases.progress, { params: { id: caseId }, token: as.accessToken })
  await mark([lineAt(0)], { is_verified: true })
  const body = { channels: [[[0, 1500]]] as [number, number][][] }
  await server.call(review.addHeard, { params: { id: call.id }, body, token: member.accessToken })
  expect((await progressOf(member)).data).toEqual({
    recordings: 1,
    heard: 1 / 24,
    verified: 1 / 24,
    verified_twice: 0,
  })
  expect((await progressOf(user)).data.heard).toBe(0)
  const [row] = (await server.call(api.cases.listRecordings, { params: { id: caseId }, token: member.accessToken }))
    .data.recordings
  expect(row?.progress).toEqual({ heard: 1 / 24, verified: 1 / 24, verified_twice: 0 })
  const admin = await server.createSignedIn({ role: 'admin' })
  expect((await progressOf(admin)).error.code).toBe('forbidden')
  expect((await progressOf(await server.createSignedIn())).error.code).toBe('not_found')
})

test('need a recording that is there, and are deleted with it and with its owner', async () => {
  await mark([lineAt(0)], { is_verified: true })
  await server.call(api.recordings.remove, { params: { id: call.id }, token: user.accessToken })
  expect((await stored()).marks).toEqual([])
  expect((await mark([lineAt(0)], { is_verified: true })).error.code).toBe('not_found')
  expect((await server.call(review.listMarks, { params: { id: call.id }, token: user.accessToken })).error.code).toBe(
    'not_found',
  )
  await call.upload()
  await call.transcribe()
  await mark([lineAt(0)], { is_verified: true })
  await server.services.work.removeUserWork(user.id)
  expect((await stored()).marks).toEqual([])
})
