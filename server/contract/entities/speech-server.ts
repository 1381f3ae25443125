import { z } from 'zod'
import { Moment } from '../scalars.ts'

/** A server from SPEECH_SERVERS or TRANSLATION_SERVERS, as one engine process sees it. */
export const RemoteServerStatus = z.object({
  /** Base address, such as `http://10.0.0.5:8000`. */
  address: z.string(),
  /** The model names that requests may specify. */
  models: z.array(z.string()),
  /** Whether it responded to the last request or check, even with an error; null before the first. */
  is_reachable: z.boolean().nullable(),
  /** Requests in progress. */
  in_flight: z.int().nonnegative(),
  /** Requests that succeeded since the engine started. */
  completed: z.int().nonnegative(),
  /** Requests that failed since the engine started, including those that another server completed. */
  failed: z.int().nonnegative(),
  /** Seconds of waiting per second of audio, averaged over recent requests; null before the first, and for translation servers. */
  real_time_factor: z.number().nonnegative().nullable(),
  /** Translated tokens per second of waiting, averaged over recent requests; null before the first, and for transcription servers. */
  tokens_per_second: z.number().nonnegative().nullable().default(null),
  last_error: z.object({ message: z.string(), at: Moment }).nullable(),
  /** When a failed server is tried again; null for a server in use. */
  retry_at: Moment.nullable(),
})
export type RemoteServerStatus = z.infer<typeof RemoteServerStatus>
