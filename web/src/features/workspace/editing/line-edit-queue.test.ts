import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LineChange, LineEdits } from '#contract/line-edits.ts'
import { ApiError, networkError } from '../../../shared/api/api-error.ts'
import { EditServer } from '../../../testing/edit-server.ts'
import { LineEditQueue } from './line-edit-queue.ts'
import type { UnsentEdits } from './unsent-edits.ts'

const to = (index: number, text: string): LineChange => ({
  from: [index],
  lines: [{ start: index, end: index + 1, text }],
})

function createQueue(server: EditServer, unsent: UnsentEdits | null = null) {
  const kept: { last: UnsentEdits | null } = { last: unsent }
  const queue = new LineEditQueue({
    lineEdits: server.edits,
    send: server.send,
    load: async () => await Promise.resolve(server.edits),
    unsent,
    keep: (next) => (kept.last = next),
  })
  const texts = () => queue.getShown().edits.flatMap(({ lines }) => (lines ?? []).map(({ text }) => text))
  const untilStatus = (status: string) => vi.waitFor(() => expect(queue.getState().status).toBe(status))
  return { queue, kept, texts, untilStatus }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('changes', () => {
  it('are shown at once, then saved', async () => {
    const server = new EditServer()
    const { queue, texts, untilStatus } = createQueue(server)
    queue.apply([to(1, 'a')])
    expect(texts()).toEqual(['a'])
    expect(queue.getState().status).toBe('saving')
    await untilStatus('saved')
    expect(server.edits.edits).toEqual([{ ...to(1, 'a'), revision: 1 }])
  })

  it('made while a request is on its way are sent in one request with the revision of its answer', async () => {
    const server = new EditServer()
    const { queue, untilStatus } = createQueue(server)
    queue.apply([to(1, 'a')])
    queue.apply([to(1, 'ab')])
    queue.apply([to(2, 'x')])
    queue.apply([to(1, 'abc')])
    await untilStatus('saved')
    expect(server.requests).toEqual([
      { changes: [to(1, 'a')], revision: 0 },
      { changes: [to(2, 'x'), to(1, 'abc')], revision: 1 },
    ])
  })

  it('leave the shown edits the same object while only their saving goes on', async () => {
    const { queue, untilStatus } = createQueue(new EditServer())
    queue.apply([to(1, 'a')])
    const shown = queue.getShown()
    await untilStatus('saved')
    expect(queue.getShown()).toBe(shown)
  })
})

describe('a failure', () => {
  it('is told, keeps the change for the next page, and ends with the next attempt', async () => {
    const server = new EditServer()
    const { queue, kept, untilStatus } = createQueue(server)
    server.failure = networkError()
    queue.apply([to(1, 'a')])
    await untilStatus('failed')
    expect(kept.last).toEqual({ before: [{ from: [1], lines: null }], changes: [to(1, 'a')] })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(queue.getState().status).toBe('saved')
    expect(kept.last).toBeNull()
    expect(server.edits.revision).toBe(1)
  })

  it('of the answer alone is no conflict with oneself', async () => {
    const server = new EditServer()
    const { queue, texts, untilStatus } = createQueue(server)
    server.isAnswerLost = true
    queue.apply([to(1, 'a')])
    await untilStatus('failed')
    queue.retry()
    await untilStatus('saved')
    expect(texts()).toEqual(['a'])
  })

  it('that will not pass is not repeated', async () => {
    const server = new EditServer()
    const { queue, untilStatus } = createQueue(server)
    server.failure = new ApiError('Recording not found', { status: 404, code: 'not_found' })
    queue.apply([to(1, 'a')])
    await untilStatus('failed')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.requests).toHaveLength(1)
    expect(queue.getState()).toEqual({ status: 'failed', message: 'Recording not found' })
  })
})

describe('an unsent change of an earlier page', () => {
  const unsent: UnsentEdits = { before: [{ from: [1], lines: null }], changes: [to(1, 'a')] }

  it('is shown and sent', async () => {
    const server = new EditServer()
    const { queue, texts, untilStatus } = createQueue(server, unsent)
    expect(texts()).toEqual(['a'])
    queue.start()
    await untilStatus('saved')
    expect(server.edits.edits).toMatchObject([to(1, 'a')])
  })

  it('is a conflict where the line was changed meanwhile', () => {
    const server = new EditServer()
    server.change(to(1, 'theirs'))
    const { queue } = createQueue(server, unsent)
    expect(queue.getState()).toEqual({
      status: 'conflict',
      conflicts: [{ mine: [to(1, 'a')], theirs: [to(1, 'theirs')] }],
    })
  })
})

describe('changes from elsewhere', () => {
  it('of other lines appear, and nothing is refused', async () => {
    const server = new EditServer()
    const { queue, texts, untilStatus } = createQueue(server)
    server.change(to(2, 'theirs'))
    queue.apply([to(1, 'mine')])
    await untilStatus('saved')
    expect(texts()).toEqual(['mine', 'theirs'])
    server.change(to(3, 'more'))
    queue.receive(server.edits)
    expect(texts()).toEqual(['mine', 'theirs', 'more'])
  })

  it('that are older than known are ignored', async () => {
    const server = new EditServer()
    const before = server.edits
    const { queue, texts, untilStatus } = createQueue(server)
    queue.apply([to(1, 'mine')])
    await untilStatus('saved')
    queue.receive(before)
    expect(texts()).toEqual(['mine'])
  })

  async function inConflict() {
    const server = new EditServer()
    const shown = createQueue(server)
    server.change(to(1, 'theirs'))
    shown.queue.apply([to(1, 'mine'), to(4, 'other')])
    await shown.untilStatus('conflict')
    return { server, ...shown }
  }

  it('of the same line are a conflict that holds back nothing else', async () => {
    const { server, texts } = await inConflict()
    await vi.waitFor(() => expect(server.edits.edits.map(({ from }) => from)).toEqual([[1], [4]]))
    expect(texts()).toEqual(['mine', 'other'])
  })

  it('are overwritten once mine is kept', async () => {
    const { server, queue, untilStatus } = await inConflict()
    const state = queue.getState()
    if (state.status !== 'conflict' || !state.conflicts[0]) throw new Error('no conflict')
    queue.resolve('mine', state.conflicts[0])
    await untilStatus('saved')
    expect(server.edits.edits).toMatchObject([to(4, 'other'), to(1, 'mine')])
  })

  it('stay once theirs is kept', async () => {
    const { queue, texts, untilStatus, kept } = await inConflict()
    const state = queue.getState()
    if (state.status !== 'conflict' || !state.conflicts[0]) throw new Error('no conflict')
    queue.resolve('theirs', state.conflicts[0])
    await untilStatus('saved')
    expect(texts()).toEqual(['theirs', 'other'])
    expect(kept.last).toBeNull()
  })

  it('end in a failure where the server keeps refusing lines that nobody changed', async () => {
    const server = new EditServer()
    const refusal = new ApiError('Not now', { status: 409, code: 'conflict' })
    const send = vi.fn(async () => await Promise.reject<LineEdits>(refusal))
    const { edits: lineEdits } = server
    const load = async () => await Promise.resolve(lineEdits)
    const queue = new LineEditQueue({ lineEdits, send, load, unsent: null, keep: () => undefined })
    queue.apply([to(1, 'mine')])
    await vi.waitFor(() => expect(queue.getState()).toEqual({ status: 'failed', message: 'Not now' }))
    expect(send).toHaveBeenCalledTimes(3)
  })
})
