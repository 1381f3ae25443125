import type { ProgressEvent } from '#contract/entities/job.ts'
import type { TextChange } from '#contract/progress-text.ts'
import type { TextPosition } from '#data/jobs/job-record.ts'
import { readTextChanges } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { toFrame, type Frame } from './event-frames.ts'

/** Maximum size of one event, unless a single change is larger: a change has at most 20 kB. */
const maxFrameBytes = 32 * 1024
/** Number of changes read at once: one event holds about three large changes, or dozens of small ones. */
const maxChanges = 64
/** Maximum size of all cached frames, which serve streams at the same position: the texts of a few very long recordings. */
const maxCachedBytes = 24 * 1024 * 1024

export interface TextFrame {
  frame: Frame
  /** Number of changes that the text has after this frame. */
  sequence: number
}

export interface TextFrames {
  /** Returns what follows the first `since` changes of a text; null if the job has ended and its text was removed. */
  read: (jobId: string, text: TextPosition, since: number) => Promise<TextFrame | null>
}

/** Reads the texts of running jobs in pieces. They are shared by all streams of the server, so a text is read and serialized only once. */
export function createTextFrames(queue: Queue): TextFrames {
  const cached = new Map<string, TextFrame>()
  const reading = new Map<string, Promise<void>>()
  let cachedBytes = 0

  function cache(key: string, frame: TextFrame) {
    drop(key)
    cached.set(key, frame)
    cachedBytes += frame.frame.length
    for (const oldest of cached.keys()) {
      if (cachedBytes <= maxCachedBytes) break
      drop(oldest)
    }
  }

  function drop(key: string) {
    cachedBytes -= cached.get(key)?.frame.length ?? 0
    cached.delete(key)
  }

  async function readFrames(jobId: string, text: TextPosition, since: number) {
    const changes = await readTextChanges(queue, { jobId, text, after: since, limit: maxChanges })
    let at = since
    for (const group of groupBySize(changes)) {
      const sequence = at + group.length
      const event = { type: 'progress', job_id: jobId, text_id: text.id } as const
      cache(keyOf(text, at), { frame: writeProgress({ ...event, since: at, sequence }, group), sequence })
      at = sequence
    }
  }

  return {
    async read(jobId, text, since) {
      const key = keyOf(text, since)
      // Stored changes are immutable, so a cached frame stays valid.
      const known = cached.get(key)
      if (known) return known
      const waiting = reading.get(key) ?? readFrames(jobId, text, since).finally(() => reading.delete(key))
      reading.set(key, waiting)
      await waiting
      return cached.get(key) ?? null
    },
  }
}

function keyOf({ id }: TextPosition, since: number): string {
  return `${id} ${since}`
}

/** Serializes changes as JSON, grouped into one event each. */
function groupBySize(changes: TextChange[]): string[][] {
  const groups: string[][] = []
  let bytes = Infinity
  for (const change of changes) {
    const json = JSON.stringify(change)
    const size = Buffer.byteLength(json)
    if (bytes + size > maxFrameBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(json)
    bytes += size
  }
  return groups
}

/** The changes were validated when our engine wrote them, and they add up to megabytes: they are not parsed again. */
function writeProgress(head: Omit<ProgressEvent, 'changes'>, changes: string[]): Frame {
  return toFrame(head.type, `${JSON.stringify(head).slice(0, -1)},"changes":[${changes.join(',')}]}`)
}
