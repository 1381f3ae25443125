import type { Writable } from 'node:stream'
import type { TextPosition } from '#data/jobs/job-record.ts'
import type { Frame, JobFrame, Snapshot } from './event-frames.ts'
import type { TextFrames } from './text-frames.ts'

/** A reader who falls behind by more jobs and recordings than this receives a snapshot instead. */
const maxPending = 1_000

/** An event stream and the events it has yet to send. */
export interface EventStreamWriter {
  start: () => void
  onJob: (job: JobFrame) => void
  onRecording: (recordingId: string, frame: Frame) => void
  /** Destroys the stream. */
  fail: (error: Error) => void
  stop: () => void
}

interface EventStreamWriterOptions {
  stream: Writable
  /** Returns all open work of the user, and that of the last minute. */
  readSnapshot: () => Promise<Snapshot>
  texts: TextFrames
  /** A reader who reads nothing for this long is disconnected. */
  stallMs: number
}

interface FollowedText {
  jobId: string
  text: TextPosition
  /** How much of it has been sent. */
  sent: number
}

/**
 * Writes one stream at the pace of its reader: an event is built once the previous one has been read. Until then changes are kept as one
 * entry per job or recording, so a slow reader costs little memory and receives the latest state instead of every state.
 */
export function createEventStreamWriter({
  stream,
  readSnapshot,
  texts,
  stallMs,
}: EventStreamWriterOptions): EventStreamWriter {
  const jobs = new Map<string, JobFrame>()
  const recordings = new Map<string, Frame>()
  const followed = new Map<string, FollowedText>()
  let needsSnapshot = true
  let isWriting = false
  let hasChanges = false
  const stopController = new AbortController()

  function wake() {
    hasChanges = true
    if (!isWriting) void write()
  }

  async function write() {
    isWriting = true
    try {
      while (hasChanges && !stopController.signal.aborted) {
        hasChanges = false
        for (let frame = await nextFrame(); frame && !stopController.signal.aborted; frame = await nextFrame())
          await send(frame)
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
    isWriting = false
  }

  /** Sends jobs before their texts, because a job's state says which text it has. */
  async function nextFrame(): Promise<Frame | undefined> {
    if (needsSnapshot) return nextSnapshot()
    const job = takeFirst(jobs)
    if (job) {
      followText(job)
      return job.frame
    }
    return takeFirst(recordings) ?? nextText()
  }

  async function nextSnapshot(): Promise<Frame> {
    needsSnapshot = false
    jobs.clear()
    recordings.clear()
    followed.clear()
    const snapshot = await readSnapshot()
    for (const job of snapshot.jobs) followText(job)
    return snapshot.frame
  }

  function followText({ jobId, text }: JobFrame) {
    const before = followed.get(jobId)
    if (!text) followed.delete(jobId)
    else if (before?.text.id === text.id) before.text = text
    else followed.set(jobId, { jobId, text, sent: 0 })
  }

  async function nextText(): Promise<Frame | undefined> {
    for (const [id, place] of followed) {
      if (place.sent >= place.text.sequence) continue
      const next = await texts.read(place.jobId, place.text, place.sent)
      if (next) {
        place.sent = next.sequence
        return next.frame
      }
      followed.delete(id)
    }
    return undefined
  }

  async function send(frame: Frame) {
    if (stream.write(frame)) return
    await drained(stream, stallMs)
  }

  function dropOnOverflow() {
    if (jobs.size + recordings.size > maxPending) needsSnapshot = true
    if (!needsSnapshot) return
    jobs.clear()
    recordings.clear()
  }

  function fail(error: Error) {
    stop()
    stream.destroy(error)
  }

  function stop() {
    stopController.abort()
  }

  return {
    start: wake,
    onJob(job) {
      jobs.set(job.jobId, job)
      dropOnOverflow()
      wake()
    },
    onRecording(id, frame) {
      recordings.set(id, frame)
      dropOnOverflow()
      wake()
    },
    fail,
    stop,
  }
}

function takeFirst<Value>(map: Map<string, Value>): Value | undefined {
  for (const [key, value] of map) {
    map.delete(key)
    return value
  }
  return undefined
}

/** Resolves when the stream can accept more. Fails after `stallMs`, or when the stream closes. */
function drained(stream: Writable, stallMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new Error('The reader of an event stream reads nothing')), stallMs)
    const onDrain = () => end()
    const onClose = () => end(new Error('The event stream was closed'))
    stream.once('drain', onDrain).once('close', onClose)
    function end(error?: Error) {
      clearTimeout(timer)
      stream.off('drain', onDrain).off('close', onClose)
      if (error) reject(error)
      else resolve()
    }
  })
}
