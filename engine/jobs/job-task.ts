import type { Logger } from 'pino'
import type { TranscriptionProgress } from '#contract/transcription.ts'
import type { TranslationProgress } from '#contract/translation.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { JobParams } from '#data/jobs/job-params.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { EngineModels } from './engine-models.ts'
import type { LoadedModels } from './loaded-models.ts'

/** What every job is worked on with. */
export interface JobTools {
  queue: Queue
  audioStore: AudioStore
  /** As they were when the job began. */
  models: EngineModels
  /** What of them is in memory. */
  loaded: LoadedModels
  /** Where attempts make their folders. */
  tempDir: string
  /** Where models lie, and hashes of them. */
  modelsDir: string
  /** The longest recording that is decoded. */
  maxAudioMs: number
  log: Logger
}

/** One attempt at a job. */
export interface JobTask<Kind extends JobParams['kind'] = JobParams['kind']> {
  job: LeasedJob
  params: Extract<JobParams, { kind: Kind }>
  /** A folder of this attempt alone, removed after it. */
  workDir: string
  report: (progress: TranscriptionProgress | TranslationProgress) => void
  /** Aborts when the job is taken away or the engine is to stop. */
  signal: AbortSignal
}

export interface JobOutcome {
  result: object
  /** Languages heard or written, the main one first. */
  languages: string[]
}
