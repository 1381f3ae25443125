import type { JobRecord } from '#data/jobs/job-record.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { TranscriptSource } from '#data/recordings/transcript-source.ts'
import type { KeywordSet } from './keyword-set.ts'
import type { RecordingText } from './recording-text.ts'

/** A recording that was created, changed or deleted, or whose jobs changed their state; not while it is in the trash. */
export interface ChangedRecording {
  id: string
  ownerId: string
  /** As it is now; null when it is gone for good. */
  current: CurrentRecording | null
  /** A step before this one failed: it is derived again. */
  hasFailed?: boolean
  /** A check found something wrong with what is derived from it: it may have changed long ago. */
  isRepair?: boolean
}

export interface CurrentRecording {
  recording: RecordingRecord
  /** All of them, the last finished first. */
  jobs: JobRecord[]
  /** Reads each result and its edits at the first call. */
  transcripts: TranscriptSource
  /** Identifies the text: see `identifyText`. */
  readTextId: () => Promise<string>
  /** Reads the text at the first call. */
  readText: () => Promise<RecordingText>
  /** Reads the owner's keywords at the first call. */
  readKeywords: () => Promise<KeywordSet>
}

/**
 * Derives something from a recording, such as its entry of the search index. It may be called again for the same state, and must then
 * change nothing.
 */
export type LibraryStep = (changed: ChangedRecording) => Promise<void>

/**
 * Does one short piece of work that can wait, such as a part of a merge of search segments. Returns whether there was any.
 *
 * @param lease aborts when another process may follow changes; the next time that this one does, it is another signal
 */
export type LibraryBackgroundTask = (lease: AbortSignal) => Promise<boolean>
