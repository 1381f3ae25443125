import { z } from 'zod'

/** What an administrator should act on, before it hurts. The codes do not change. */
export const warningCodes = [
  'no_engine',
  'engine_unable',
  'engine_silent',
  'engine_version',
  'queue_old',
  'jobs_abandoned',
  'jobs_fail',
  'model_server_unreachable',
  'database_slow',
  'disk_full',
  'disk_full_soon',
  'backup_disk_full',
  'backup_missing',
  'backup_old',
  'backup_failed',
  'rehearsal_failed',
  'rehearsal_old',
  'certificate_ends',
  'mail_fails',
  'sign_ins_fail',
  'checks_find',
] as const

export const InstanceWarning = z.object({
  code: z.enum(warningCodes),
  /** A problem needs action now, a warning soon. */
  severity: z.enum(['problem', 'warning']),
  title: z.string(),
  remedy: z.string(),
})
export type InstanceWarning = z.infer<typeof InstanceWarning>

const Bytes = z.number().nonnegative()
const Room = z.object({ free_bytes: Bytes, size_bytes: Bytes })

/** What was stored in one day. */
const StoredDay = z.object({
  /** YYYY-MM-DD, in UTC. */
  day: z.iso.date(),
  bytes: Bytes,
})

/** Queue and speed of one day. */
const WorkDay = z.object({
  /** YYYY-MM-DD, in UTC. */
  day: z.iso.date(),
  /** The most jobs that waited, and the longest that one had waited; null where nothing was sampled. */
  waiting: z.int().nonnegative().nullable(),
  oldest_waiting_seconds: z.number().nonnegative().nullable(),
  /** Of recordings that were transcribed, and what engines took for it. */
  transcribed_seconds: z.number().nonnegative(),
  transcription_work_seconds: z.number().nonnegative(),
  translated_lines: z.int().nonnegative(),
  translation_work_seconds: z.number().nonnegative(),
})
export type WorkDay = z.infer<typeof WorkDay>

/** Queue, database, disks, backups and certificate of the instance, and what of it needs attention. */
export const InstanceState = z.object({
  /** The worst first. */
  warnings: z.array(InstanceWarning),
  queue: z.object({
    waiting: z.int().nonnegative(),
    /** Age of the job that has waited longest; 0 where none waits. */
    oldest_waiting_seconds: z.number().nonnegative(),
    /** Of the jobs of the last 24 hours: done or failed, and failed for good. */
    ended_last_day: z.int().nonnegative(),
    failed_last_day: z.int().nonnegative(),
  }),
  /** Time of one small query. */
  database_response_ms: z.number().nonnegative(),
  disk: z.object({
    /** Of DATA_DIR. */
    data: Room,
    /** Of BACKUP_DIR; null where it is not set or not mounted. */
    backup: Room.nullable(),
    /** Until DATA_DIR is full, by the recordings of the last 30 days; null where none were added. */
    days_left: z.number().nonnegative().nullable(),
    /** Recordings that were added on each of the last 30 days and are still there, the oldest day first. */
    added: z.array(StoredDay),
  }),
  backups: z.object({
    /** Whether BACKUP_DIR and BACKUP_TIME make one every day. */
    is_scheduled: z.boolean(),
    made_at: z.iso.datetime().nullable(),
    failed_at: z.iso.datetime().nullable(),
    rehearsed_at: z.iso.datetime().nullable(),
  }),
  /** The last 30 days, the oldest first. */
  work: z.array(WorkDay),
  /** Of PUBLIC_URL; null for http, and where nothing answers there. */
  certificate_ends_at: z.iso.datetime().nullable(),
  failed_sign_ins_last_hour: z.int().nonnegative(),
})
export type InstanceState = z.infer<typeof InstanceState>
