import type { Logger } from 'pino'
import type { PossibleHit } from '#contract/possible-hits.ts'
import type { TranscriptionProgress } from '#contract/transcription.ts'
import type { TranslationProgress } from '#contract/translation.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { JobParams } from '#data/jobs/job-params.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { EngineModels } from './engine-models.ts'
import type { LoadedModels } from './loaded-models.ts'

/** What every job handler needs from the engine. */
export interface JobContext {
  queue: Queue
  audioStore: AudioStore
  /** The models as of the start of the job. */
  models: EngineModels
  /** The models in memory. */
  loaded: LoadedModels
  /** Parent of the attempts' folders. */
  tempDir: string
  /** Folder of models and their hashes. */
  modelsDir: string
  /** Longer recordings are rejected. */
  maxAudioMs: number
  log: Logger
}

/** One attempt at a job. */
export interface JobTask<Kind extends JobParams['kind'] = JobParams['kind']> {
  job: LeasedJob
  params: Extract<JobParams, { kind: Kind }>
  /** A folder for this attempt only, removed afterwards. */
  workDir: string
  report: (progress: TranscriptionProgress | TranslationProgress) => void
  /** Aborts when the lease is lost or the engine is told to stop. */
  signal: AbortSignal
}

export interface JobOutcome {
  result: object
  /** Languages spoken or written, the main one first. */
  languages: string[]
  /** For a transcription: keywords that may have been said; absent if none were searched for. */
  possibleHits?: PossibleHit[]
}
