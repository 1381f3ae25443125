import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'
import { JobKind } from './job.ts'
import { RemoteServerStatus } from './speech-server.ts'

/** The speed of a model in the last minutes. */
const ModelSpeed = z.object({
  model: z.string(),
  /** Seconds of processing per second of audio: below 1 is faster than real time. */
  real_time_factor: z.number().nonnegative(),
  /** Seconds of audio that this was measured on. */
  audio_seconds: z.number().nonnegative(),
})
export type ModelSpeed = z.infer<typeof ModelSpeed>

/** A program or library that a process works with; its version is null where it is not installed. */
export const ComponentVersion = z.object({ name: z.string(), version: z.string().nullable() })
export type ComponentVersion = z.infer<typeof ComponentVersion>

/** What an engine process publishes of itself every few seconds. */
export const EngineStatus = z.object({
  version: z.string(),
  /** The commit that it runs, abbreviated; null where it is not known, and of an engine of an older version. */
  revision: z.string().nullable().default(null),
  /** What it works with on its host; an engine of an older version has none. */
  components: z.array(ComponentVersion).default([]),
  /** The maximum number of threads of a model. */
  threads: z.int().positive(),
  /** The model in memory; null while there is none. */
  model: z.object({ id: z.string(), name: z.string(), kind: z.enum(['speech', 'translation']) }).nullable(),
  /** What runs the model in memory, such as `whisper.cpp 1.9.3`; null while there is none. */
  device: z.string().nullable(),
  speeds: z.array(ModelSpeed),
  /** Why this engine claims no recordings, as a sentence; null when it does. */
  problem: z.string().nullable(),
  /** Transcription servers that the engine sends sound to, as it sees them. */
  speech_servers: z.array(RemoteServerStatus),
  /** Translation servers that the engine sends texts to, as it sees them; an engine of an older version has none. */
  translation_servers: z.array(RemoteServerStatus).default([]),
})
export type EngineStatus = z.infer<typeof EngineStatus>

/** A running engine process as an administrator sees it. One of an older version publishes less: `threads` is null then. */
export const Engine = EngineStatus.omit({ speech_servers: true, translation_servers: true }).extend({
  version: z.string().nullable(),
  threads: z.int().positive().nullable(),
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  started_at: Moment,
  /** Its last heartbeat. */
  seen_at: Moment,
  /** Names of the models that it works with; null where it has none. */
  speech_model: z.string().nullable(),
  translation_model: z.string().nullable(),
  /** What it works on; `progress` is 0 to 1, null before it is known. */
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
