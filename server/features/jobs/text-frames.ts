import type { Types } from 'mongoose'
import type { ProgressEvent } from '#contract/entities/job.ts'
import type { TextChange } from '#contract/progress-text.ts'
import type { TextPosition } from '#data/jobs/job-model.ts'
import { readTextChanges } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { toFrame, type Frame } from './event-frames.ts'

/** What one event holds, unless a single change is more: those are 20 kB at most. */
const maxFrameBytes = 32 * 1024
/** Read at once: one event of large changes is made of three, of small ones of dozens. */
const maxChanges = 64
/** All frames that are kept for streams that come to the same place: the texts of a few very long recordings. */
const maxKeptBytes = 24 * 1024 * 1024

export interface TextFrame {
  frame: Frame
  /** How far the text is with it. */
  sequence: number
}

export interface TextFrames {
  /** What comes after the first `since` changes of a text; null where the job has ended and its text has gone. */
  read: (jobId: Types.ObjectId, text: TextPosition, since: number) => Promise<TextFrame | null>
}

/** Reads the texts of running jobs in pieces. All streams of the server share them: a text is read and written out once. */
export function createTextFrames(queue: Queue): TextFrames {
  const kept = new Map<string, TextFrame>()
  const reading = new Map<string, Promise<void>>()
  let keptBytes = 0

  function keep(key: string, frame: TextFrame) {
    drop(key)
    kept.set(key, frame)
    keptBytes += frame.frame.length
    for (const oldest of kept.keys()) {
      if (keptBytes <= maxKeptBytes) break
      drop(oldest)
    }
  }

  function drop(key: string) {
    keptBytes -= kept.get(key)?.frame.length ?? 0
    kept.delete(key)
  }

  async function readFrames(jobId: Types.ObjectId, text: TextPosition, since: number) {
    const changes = await readTextChanges(queue, { jobId, text, after: since, limit: maxChanges })
    let at = since
    for (const group of groupBySize(changes)) {
      const sequence = at + group.length
      const event = { type: 'progress', job_id: jobId.toHexString(), text_id: text.id.toHexString() } as const
      keep(keyOf(text, at), { frame: writeProgress({ ...event, since: at, sequence }, group), sequence })
      at = sequence
    }
  }

  return {
    async read(jobId, text, since) {
      const key = keyOf(text, since)
      // Changes that were written stay as they are, so a frame stays true.
      const known = kept.get(key)
      if (known) return known
      const waiting = reading.get(key) ?? readFrames(jobId, text, since).finally(() => reading.delete(key))
      reading.set(key, waiting)
      await waiting
      return kept.get(key) ?? null
    },
  }
}

function keyOf({ id }: TextPosition, since: number): string {
  return `${id.toHexString()} ${since}`
}

/** Changes as JSON, in groups that make up one event each. */
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

/** Changes were written by our engine and are megabytes in all: they go out as they are. */
function writeProgress(head: Omit<ProgressEvent, 'changes'>, changes: string[]): Frame {
  return toFrame(head.type, `${JSON.stringify(head).slice(0, -1)},"changes":[${changes.join(',')}]}`)
}
