import { createContext, use } from 'react'
import type { Job } from '#contract/entities/job.ts'
import type { SelectedLanguages } from '../languages/selected-languages.ts'
import type { RetryLines } from './desk-context.ts'

/** Why a job failed, and what can be done about it. */
export interface Failure {
  message: string
  help?: string | undefined
}

/** One kind of job for the recording on screen. */
interface PanelJob {
  /** The running or queued job; null if there is none. */
  job: Job | null
  isStarting: boolean
  /** Why the last attempt failed. */
  failure: Failure | undefined
}

/** How the next transcription separates speakers. */
export interface SpeakerSettings {
  /** The number of speakers in a mono recording; null to detect it. */
  count: number | null
  /** For each of two channels, whether it holds several voices. */
  split: boolean[]
}

/** The options for the next transcription. */
export interface TranscriptionChoice {
  languages: SelectedLanguages
  speakers: SpeakerSettings
  /** The id of a speech model; null for the one configured for the language. */
  model: string | null
}

export interface TranscribeWork extends PanelJob {
  choice: TranscriptionChoice
  setChoice: (choice: TranscriptionChoice) => void
  /** Names and terms that are likely to occur in the recording. */
  names: string[]
  setNames: (names: string[]) => void
  start: (choice: TranscriptionChoice, names: string[]) => void
}

export interface TranslateWork extends PanelJob {
  /** Without `force`, translations that are still up to date are kept. */
  start: (options: { force: boolean }) => void
  /** Undefined if single lines cannot be translated. */
  retry: RetryLines | undefined
}

export interface DiarizeWork extends PanelJob {
  start: () => void
}

/** The jobs of the recording on screen: how to start each, its progress, and why it failed. */
export interface Work {
  transcribe: TranscribeWork
  translate: TranslateWork
  diarize: DiarizeWork
  /** The shared loading flag (audio-workflow specification, section 4): while one job runs, no other is started. */
  isBusy: boolean
}

export const WorkContext = createContext<Work | null>(null)

/** Returns the jobs of the recording on screen. Throws outside a desk. */
export function useWork(): Work {
  const work = use(WorkContext)
  if (!work) throw new Error('There is no recording here: render inside WorkContext')
  return work
}
