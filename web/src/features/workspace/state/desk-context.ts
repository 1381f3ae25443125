import { createContext, use } from 'react'
import type { RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'
import type { Job } from '#contract/entities/job.ts'
import type { Note } from '#contract/notes.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { ConversationLine } from './conversation-line.ts'
import type { LineEditing } from './line-editing.ts'
import type { LineHit } from './line-hits.ts'

/** Translates one line again, or all lines that failed. */
export type RetryLines = (line?: { start: number; end: number }) => void

/** The recording on screen and everything that its panels share. */
export interface Desk {
  /** As loaded: its `transcription` is the engine's. */
  recording: RecordingDetails
  /** The current version with this screen's edits and corrected speakers; null before the first. */
  transcription: TranscriptionResult | null
  /** The translation into `target`; null if there is none. */
  translation: StoredTranslation | null
  /** The target language. */
  target: string
  /** The running or queued job of a kind, with its progress. */
  jobs: Partial<Record<Job['kind'], Job>>
  /** All rows in time order: lines, gaps and, while a transcription is running, its lines so far. */
  lines: ConversationLine[]
  /** In order of time. */
  hits: LineHit[]
  reviewedHits: ReadonlySet<string>
  /** In order of time. */
  notes: Note[]
  editing: LineEditing
  /** Translates one line again, or all that failed or are stale; undefined if single lines cannot be translated. */
  retryTranslation: RetryLines | undefined
}

export const DeskContext = createContext<Desk | null>(null)

/** Returns what the panels of the desk share. Throws outside a desk. */
export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('There is no recording here: render inside DeskContext')
  return desk
}
