import type { JobRecord } from '#data/jobs/job-record.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { TranscriptSource } from '#data/recordings/transcript-source.ts'
import type { KeywordSet } from './keyword-set.ts'
import type { RecordingText } from './recording-text.ts'

/** A recording that was created, changed or deleted, or whose jobs changed state; never one that is in the trash. */
export interface ChangedRecording {
  id: string
  ownerId: string
  /** Its current state; null if it is gone for good. */
  current: CurrentRecording | null
  /** An earlier step failed, so the recording is derived again. */
  hasFailed?: boolean
  /** A check found something wrong with the data derived from it; the recording may have changed long ago. */
  isRepair?: boolean
}

export interface CurrentRecording {
  recording: RecordingRecord
  /** All of its jobs, the last finished first. */
  jobs: JobRecord[]
  /** Reads each result and its edits on the first call. */
  transcripts: TranscriptSource
  /** Identifies the text: see `identifyText`. */
  readTextId: () => Promise<string>
  /** Reads the text on the first call. */
  readText: () => Promise<RecordingText>
  /** Reads the owner's keywords on the first call. */
  readKeywords: () => Promise<KeywordSet>
}

/**
 * Derives something from a recording, such as its entry in the search index. It may be called again for the same state and must then
 * change nothing.
 */
export type LibraryStep = (changed: ChangedRecording) => Promise<void>

/**
 * Does one short piece of work that can wait, such as part of a merge of search segments. Returns whether there was any.
 *
 * @param lease aborts when another process may follow changes; when this process follows again, it gets a different signal
 */
export type LibraryBackgroundTask = (lease: AbortSignal) => Promise<boolean>
