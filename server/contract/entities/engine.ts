import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'
import { JobKind } from './job.ts'
import { RemoteServerStatus } from './speech-server.ts'

/** The speed of a model over the last few minutes. */
const ModelSpeed = z.object({
  model: z.string(),
  /** Seconds of processing per second of audio: below 1 is faster than real time. */
  real_time_factor: z.number().nonnegative(),
  /** Seconds of audio on which this was measured. */
  audio_seconds: z.number().nonnegative(),
})
export type ModelSpeed = z.infer<typeof ModelSpeed>

/** A program or library that a process uses; its version is null when it is not installed. */
export const ComponentVersion = z.object({ name: z.string(), version: z.string().nullable() })
export type ComponentVersion = z.infer<typeof ComponentVersion>

/** The status that an engine process publishes every few seconds. */
export const EngineStatus = z.object({
  version: z.string(),
  /** The abbreviated commit that the engine runs; null when unknown, and for engines of an older version. */
  revision: z.string().nullable().default(null),
  /** The programs and libraries that it uses on its host; engines of an older version report none. */
  components: z.array(ComponentVersion).default([]),
  /** The maximum number of threads that a model uses. */
  threads: z.int().positive(),
  /** The model in memory; null while there is none. */
  model: z.object({ id: z.string(), name: z.string(), kind: z.enum(['speech', 'translation']) }).nullable(),
  /** The runtime of the model in memory, such as `whisper.cpp 1.9.3`; null while there is none. */
  device: z.string().nullable(),
  speeds: z.array(ModelSpeed),
  /** A sentence saying why this engine claims no recordings; null when it does. */
  problem: z.string().nullable(),
  /** Transcription servers to which the engine sends audio, as it sees them. */
  speech_servers: z.array(RemoteServerStatus),
  /** Translation servers to which the engine sends texts, as it sees them; engines of an older version report none. */
  translation_servers: z.array(RemoteServerStatus).default([]),
})
export type EngineStatus = z.infer<typeof EngineStatus>

/** A running engine process as an administrator sees it. Older versions publish less: `threads` is then null. */
export const Engine = EngineStatus.omit({ speech_servers: true, translation_servers: true }).extend({
  version: z.string().nullable(),
  threads: z.int().positive().nullable(),
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  started_at: Moment,
  /** The time of its last heartbeat. */
  seen_at: Moment,
  /** Names of the models that it uses; null when it has none. */
  speech_model: z.string().nullable(),
  translation_model: z.string().nullable(),
  /** The job in progress; `progress` is 0 to 1, null until known. */
  job: z
    .object({
      id: Id,
      kind: JobKind,
      progress: z.number().min(0).max(1).nullable(),
      attempt: z.int(),
      started_at: Moment.nullable(),
    })
    .nullable(),
})
export type Engine = z.infer<typeof Engine>
