import { describe, expect, test } from 'vitest'
import { id } from '../testing/inputs.ts'
import { JobAccepted, JobWithResult, StreamEvent } from './job.ts'

const moment = '2026-01-02T03:04:05.000Z'
const line = { start: 0, end: 1, text: 'one' }
const job = {
  id,
  kind: 'transcribe',
  state: 'running',
  recording_id: id,
  batch_id: id,
  attempt: 1,
  queue_position: null,
  progress: null,
  error: null,
  target_language: null,
  created_at: moment,
  started_at: moment,
  finished_at: null,
}
const transcribing = {
  current_segment: 1,
  total_segments: 2,
  detected_language: 'ps',
  language_probability: 0.5,
  latest_segment: line,
}
const translating = { current_segment: 1, total_segments: 2, latest_segment: null, seconds_left: 3 }

describe('a job', () => {
  test.each(['queued', 'running', 'done', 'failed', 'cancelled'])('may be %s', (state) => {
    const whole = { ...job, state, result: null }
    expect(JobWithResult.parse(whole)).toEqual(whole)
  })

  test.each(['transcribe', 'translate', 'diarize'])('may %s', (kind) => {
    expect(JobWithResult.parse({ ...job, kind, result: null })).toMatchObject({ kind })
  })

  test.each([
    { ...transcribing, partial_text: 'one', partial_segments: [line], stage: 'speakers' },
    { ...translating, partial_text: 'one' },
  ])('says how far it is: %#', (progress) => {
    expect(JobWithResult.parse({ ...job, progress, result: null }).progress).toEqual(progress)
  })

  test('ends with its result, as a dialogue, or with an error', () => {
    const result = {
      num_speakers: 1,
      transcription_id: id,
      dialogue_timeline: [{ speaker: 'A', timestamp: 0, text: 'one' }],
    }
    expect(JobWithResult.parse({ ...job, result }).result).toEqual(result)
    const error = { error: 'The model failed', code: 'job_failed', help: 'Try again' }
    expect(JobWithResult.parse({ ...job, error, result: null }).error).toEqual(error)
  })

  test.each([{ state: 'lost' }, { kind: 'convert' }, { queue_position: 0 }, { attempt: -1 }])(
    'is never %o',
    (change) => {
      expect(JobWithResult.safeParse({ ...job, result: null, ...change }).success).toBe(false)
    },
  )

  test('is accepted by its id', () => {
    expect(JobAccepted.parse({ job_id: id })).toEqual({ job_id: id })
  })
})

describe('the stream of events', () => {
  const change = { at: 0, removed: 0, lines: [line] }

  test.each([
    { type: 'snapshot', jobs: [job] },
    { type: 'job', job: { ...job, progress: transcribing } },
    { type: 'job', job: { ...job, progress: translating } },
    { type: 'progress', job_id: id, text_id: id, since: 0, sequence: 1, changes: [change] },
    { type: 'progress', job_id: id, text_id: id, since: 1, sequence: 2, changes: [{ at: 0, removed: 1, text: 'a' }] },
    { type: 'recording', recording_id: id, change: 'created' },
    { type: 'recording', recording_id: id, change: 'changed', content_version: 1 },
    { type: 'recording', recording_id: id, change: 'deleted' },
    { type: 'closed', reason: 'signed_out' },
    { type: 'closed', reason: 'revoked' },
    { type: 'closed', reason: 'shutdown' },
  ])('has $type: %#', (event) => {
    expect(StreamEvent.parse(event)).toEqual(event)
  })

  test('sends the text of a job separately', () => {
    const progress = { ...transcribing, partial_text: 'one', partial_segments: [line] }
    expect(StreamEvent.parse({ type: 'job', job: { ...job, progress } })).toEqual({
      type: 'job',
      job: { ...job, progress: transcribing },
    })
  })

  test.each([
    { type: 'ping' },
    { type: 'recording', recording_id: id, change: 'moved' },
    { type: 'recording', recording_id: id, change: 'changed', content_version: 0 },
    { type: 'progress', job_id: id, text_id: id, since: 1, sequence: 0, changes: [] },
    { type: 'closed', reason: 'tired' },
  ])('has nothing else: %j', (event) => {
    expect(StreamEvent.safeParse(event).success).toBe(false)
  })
})
