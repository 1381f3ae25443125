import type { Writable } from 'node:stream'
import type { Types } from 'mongoose'
import type { TextPosition } from '#data/jobs/job-model.ts'
import type { Frame, JobFrame } from './event-frames.ts'
import type { TextFrames } from './text-frames.ts'
import type { UserEvents } from './user-events.ts'

/** A reader who falls behind by more jobs or recordings than that gets a snapshot instead. */
const maxPending = 1_000

/** One event stream: what it has to be told yet, never in what words. */
export interface EventReader {
  start: () => void
  onJob: (job: JobFrame) => void
  onRecording: (recordingId: string, frame: Frame) => void
  /** Breaks the stream off. */
  fail: (error: Error) => void
  stop: () => void
}

interface EventReaderOptions {
  stream: Writable
  events: Pick<UserEvents, 'readSnapshot'>
  texts: TextFrames
  /** A reader who takes nothing for so long is cut off. */
  stallMs: number
}

interface FollowedText {
  jobId: Types.ObjectId
  text: TextPosition
  /** How much of it was sent. */
  sent: number
}

/**
 * Writes one stream at the pace of its reader: the next event is made when the one before has been taken. What changes meanwhile is
 * remembered by name, so a reader who does not read costs a few hundred bytes, and then gets the latest state instead of all states.
 */
export function createEventReader({ stream, events, texts, stallMs }: EventReaderOptions): EventReader {
  const jobs = new Map<string, JobFrame>()
  const recordings = new Map<string, Frame>()
  const followed = new Map<string, FollowedText>()
  let needsSnapshot = true
  let isWriting = false
  let hasNews = false
  const over = new AbortController()

  function wake() {
    hasNews = true
    if (!isWriting) void write()
  }

  async function write() {
    isWriting = true
    try {
      while (hasNews && !over.signal.aborted) {
        hasNews = false
        for (let frame = await nextFrame(); frame && !over.signal.aborted; frame = await nextFrame()) await send(frame)
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
    isWriting = false
  }

  /** The state of jobs before their texts: it says which texts there are. */
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
    const snapshot = await events.readSnapshot()
    for (const job of snapshot.jobs) followText(job)
    return snapshot.frame
  }

  function followText({ jobId, text }: JobFrame) {
    const id = jobId.toHexString()
    const before = followed.get(id)
    if (!text) followed.delete(id)
    else if (before?.text.id.equals(text.id)) before.text = text
    else followed.set(id, { jobId, text, sent: 0 })
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

  function bound() {
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
    over.abort()
  }

  return {
    start: wake,
    onJob(job) {
      jobs.set(job.jobId.toHexString(), job)
      bound()
      wake()
    },
    onRecording(id, frame) {
      recordings.set(id, frame)
      bound()
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

/** Resolves when the stream can take more. Fails after `stallMs`, or when the stream closes. */
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
