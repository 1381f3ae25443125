import { expect, it } from 'vitest'
import type { ProgressEvent, StreamJob } from '#contract/entities/job.ts'
import type { Segment } from '#contract/transcription.ts'
import { createJobStateAssembler } from './job-state-assembler.ts'

const head = {
  current_segment: 1,
  total_segments: 3,
  detected_language: 'ps',
  language_probability: null,
  latest_segment: null,
}
const running: StreamJob = {
  id: 'a'.repeat(24),
  kind: 'transcribe',
  state: 'running',
  recording_id: null,
  attempt: 1,
  queue_position: null,
  progress: head,
  error: null,
  target_language: null,
  created_at: '2026-01-02T03:04:05.000Z',
  started_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
}
const line = (text: string, start = 0): Segment => ({ start, end: start + 1, text, channel: 0 })

function progress(since: number, sequence: number, changes: ProgressEvent['changes'], text = 'b'): ProgressEvent {
  return { type: 'progress', job_id: running.id, text_id: text.repeat(24), since, sequence, changes }
}

function started() {
  const assembler = createJobStateAssembler()
  assembler.handleEvent({ type: 'snapshot', jobs: [running] })
  assembler.handleEvent(progress(0, 1, [{ at: 0, removed: 0, lines: [line('one'), line('three', 2)] }]))
  return assembler
}

it('assembles the text of a job from its changes', () => {
  const assembler = started()
  expect(assembler.handleEvent(progress(1, 2, [{ at: 1, removed: 0, lines: [line('two', 1)] }]))).toMatchObject({
    type: 'job',
    job: { progress: { partial_text: 'one two three', partial_segments: [{}, { text: 'two' }, {}] } },
  })
  expect(
    assembler.handleEvent({ type: 'job', job: { ...running, progress: { ...head, current_segment: 2 } } }),
  ).toMatchObject({
    job: { progress: { current_segment: 2, partial_text: 'one two three' } },
  })
})

it('restarts a text when an attempt starts over', () => {
  const assembler = started()
  expect(assembler.handleEvent(progress(0, 1, [{ at: 0, removed: 0, text: 'again' }], 'c'))).toMatchObject({
    job: { progress: { partial_text: 'again', partial_segments: [] } },
  })
})

it('detects that an event before a change is missing', () => {
  const change = [{ at: 2, removed: 0, lines: [line('four')] }]
  expect(started().handleEvent(progress(2, 3, change))).toBe('missed')
  expect(started().handleEvent(progress(1, 2, change, 'c'))).toBe('missed')
  expect(createJobStateAssembler().handleEvent(progress(1, 2, change))).toBeUndefined()
})

it('replays everything to a later reader, to whom the next change applies as well', () => {
  const assembler = started()
  const joined = createJobStateAssembler()
  for (const event of assembler.replay()) joined.handleEvent(event)
  const next = progress(1, 2, [{ at: 2, removed: 0, lines: [line('four', 3)] }])
  expect(joined.handleEvent(next)).toEqual(assembler.handleEvent(next))
})

it('drops a job that ended, and one that a snapshot does not contain', () => {
  const assembler = started()
  expect(assembler.handleEvent({ type: 'job', job: { ...running, state: 'done' } })).toMatchObject({
    job: { state: 'done' },
  })
  expect(assembler.replay()).toEqual([{ type: 'snapshot', jobs: [] }])
  const other = started()
  other.handleEvent({ type: 'snapshot', jobs: [] })
  expect(other.replay()).toEqual([{ type: 'snapshot', jobs: [] }])
})
