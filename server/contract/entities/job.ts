import { z } from 'zod'
import { ErrorBody } from '../errors.ts'
import { ProgressHead, TextChange } from '../progress-text.ts'
import { Id, Moment } from '../scalars.ts'
import { TranscriptionProgress, TranscriptionResult } from '../transcription.ts'
import { TranslationProgress, TranslationResult } from '../translation.ts'

export const jobKinds = ['transcribe', 'translate', 'diarize'] as const
export const JobKind = z.enum(jobKinds)
export type JobKind = z.infer<typeof JobKind>

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const JobState = z.enum(jobStates)
export type JobState = z.infer<typeof JobState>

/**
 * Who spoke when (audio-workflow specification, section 3). `timestamp` is in seconds from the start; `transcription_id`, our addition,
 * names the stored transcription with these words and speakers, and is missing when there is none.
 */
export const DiarizationResult = z.object({
  num_speakers: z.int().nonnegative(),
  transcription_id: Id.optional(),
  dialogue_timeline: z.array(z.object({ speaker: z.string(), timestamp: z.number().nonnegative(), text: z.string() })),
})
export type DiarizationResult = z.infer<typeof DiarizationResult>

/**
 * A piece of engine work as its owner sees it. `queue_position` is 1 for the next job to run and null once the job runs or has ended;
 * `attempt` counts from 1. The result is in the recording, and in `result` of GET /api/jobs/{id}.
 */
export const Job = z.object({
  id: Id,
  kind: JobKind,
  state: JobState,
  recording_id: Id.nullable(),
  /** The batch to which the job belongs: its owner is notified when the batch ends, not when the job does. */
  batch_id: Id.optional(),
  attempt: z.int().nonnegative(),
  queue_position: z.int().positive().nullable(),
  progress: z.union([TranscriptionProgress, TranslationProgress]).nullable(),
  error: ErrorBody.nullable(),
  target_language: z.string().nullable(),
  created_at: Moment,
  started_at: Moment.nullable(),
  finished_at: Moment.nullable(),
})
export type Job = z.infer<typeof Job>

export const JobWithResult = Job.extend({
  result: z.union([TranscriptionResult, TranslationResult, DiarizationResult]).nullable(),
})
export type JobWithResult = z.infer<typeof JobWithResult>

/** The response to long work requested with `Prefer: respond-async`. */
export const JobAccepted = z.object({ job_id: Id })
export type JobAccepted = z.infer<typeof JobAccepted>

/** A job in the event stream. Its text is sent separately, in `progress` events. */
export const StreamJob = Job.extend({ progress: ProgressHead.nullable() })
export type StreamJob = z.infer<typeof StreamJob>

/**
 * The changes to the text of a running job from state `since` to state `sequence` of text `text_id`. A `since` of 0 begins a new text that
 * replaces the earlier one, for example when an attempt starts over. A reader that is not at `since` missed a change and reconnects.
 */
export const ProgressEvent = z.object({
  type: z.literal('progress'),
  job_id: Id,
  text_id: Id,
  since: z.int().nonnegative(),
  sequence: z.int().positive(),
  changes: z.array(TextChange),
})
export type ProgressEvent = z.infer<typeof ProgressEvent>

/**
 * What GET /api/events sends, each as one server-sent event with `event:` set to `type` and `data:` the JSON. A stream begins with
 * `snapshot`: every job of the user that is queued or running, or that ended in the last minute; the texts of running jobs follow.
 * The `content_version` of a recording does not change when only its notes or reviewed hits do. A slow reader gets the latest state of each
 * job without the states in between, and another snapshot when even that is too much; a reader that reads nothing for half a minute is
 * disconnected.
 */
export const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), jobs: z.array(StreamJob) }),
  z.object({ type: z.literal('job'), job: StreamJob }),
  ProgressEvent,
  z.object({
    type: z.literal('recording'),
    recording_id: Id,
    change: z.enum(['created', 'changed', 'deleted']),
    /** Missing when work on somebody else's recording began or ended, and in events forwarded by a tab of an earlier version. */
    content_version: z.int().positive().optional(),
    /** Increases with every change to the recording; missing whenever `content_version` is. */
    version: z.int().positive().optional(),
  }),
  z.object({ type: z.literal('closed'), reason: z.enum(['signed_out', 'revoked', 'shutdown']) }),
])
export type StreamEvent = z.infer<typeof StreamEvent>
