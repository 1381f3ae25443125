import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser
let recordingId: string

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
afterAll(() => server.close())

function transcribe(names?: string[]) {
  return server.call(api.audio.transcribe, {
    body: { file_id: recordingId, names },
    token: user.accessToken,
    headers: { Prefer: 'respond-async' },
  })
}

test('names reach the engine as they were cleaned, and the work key does not show them', async () => {
  expect((await transcribe([' Ahmad ', '', 'کندهار', 'Ahmad'])).status).toBe(202)
  const job = await finishNextJob(server.services.work.queue, makeTranscription())
  expect(job.params).toMatchObject({ kind: 'transcribe', names: ['Ahmad', 'کندهار'] })
  expect(job.workKey).not.toContain('Ahmad')
})

test('a repeat is answered with what was done with the same names, not with others', async () => {
  const jobs = []
  for (const names of [undefined, ['Ahmad'], ['Kabul']]) {
    const first = await transcribe(names)
    const { id } = await finishNextJob(server.services.work.queue, makeTranscription())
    expect(first.raw).toMatchObject({ job_id: id })
    expect((await transcribe(names)).raw).toMatchObject({ job_id: id })
    jobs.push(id)
  }
  expect(new Set(jobs).size).toBe(3)
})

test.each([
  ['too many', Array.from({ length: 41 }, (_, index) => `Name ${index}`), 'There are at most 40 names'],
  ['too long', ['x'.repeat(61)], 'A name has at most 60 characters'],
])('%s names are refused with a sentence', async (_, names, sentence) => {
  const refused = await transcribe(names)
  expect(refused.status).toBe(400)
  expect(refused.error).toMatchObject({ code: 'invalid_input' })
  expect(JSON.stringify(refused.raw)).toContain(sentence)
})
