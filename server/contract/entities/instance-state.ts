import { z } from 'zod'

/** Conditions that an administrator should act on before they do harm. The codes are stable. */
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
  /** A problem needs action now; a warning needs it soon. */
  severity: z.enum(['problem', 'warning']),
  title: z.string(),
  remedy: z.string(),
})
export type InstanceWarning = z.infer<typeof InstanceWarning>

const Bytes = z.number().nonnegative()
const Room = z.object({ free_bytes: Bytes, size_bytes: Bytes })

/** The amount stored on one day. */
const StoredDay = z.object({
  /** YYYY-MM-DD, in UTC. */
  day: z.iso.date(),
  bytes: Bytes,
})

/** Queue and speed on one day. */
const WorkDay = z.object({
  /** YYYY-MM-DD, in UTC. */
  day: z.iso.date(),
  /** The maximum number of waiting jobs and the maximum wait; null when nothing was sampled. */
  waiting: z.int().nonnegative().nullable(),
  oldest_waiting_seconds: z.number().nonnegative().nullable(),
  /** The duration of the recordings transcribed, and the time that engines took for them. */
  transcribed_seconds: z.number().nonnegative(),
  transcription_work_seconds: z.number().nonnegative(),
  translated_lines: z.int().nonnegative(),
  translation_work_seconds: z.number().nonnegative(),
})
export type WorkDay = z.infer<typeof WorkDay>

/** Queue, database, disks, backups and certificate of the instance, with warnings about what needs attention. */
export const InstanceState = z.object({
  /** Worst first. */
  warnings: z.array(InstanceWarning),
  queue: z.object({
    waiting: z.int().nonnegative(),
    /** The wait of the job that has waited longest; 0 when none is waiting. */
    oldest_waiting_seconds: z.number().nonnegative(),
    /** Jobs of the last 24 hours that ended, whether done or failed, and that failed for good. */
    ended_last_day: z.int().nonnegative(),
    failed_last_day: z.int().nonnegative(),
  }),
  /** The duration of one small query. */
  database_response_ms: z.number().nonnegative(),
  disk: z.object({
    /** The space of DATA_DIR. */
    data: Room,
    /** The space of BACKUP_DIR; null when it is not set or not mounted. */
    backup: Room.nullable(),
    /** Days until DATA_DIR is full at the rate of the last 30 days; null if no recordings were added. */
    days_left: z.number().nonnegative().nullable(),
    /** Recordings added on each of the last 30 days that still exist, oldest day first. */
    added: z.array(StoredDay),
  }),
  backups: z.object({
    /** Whether BACKUP_DIR and BACKUP_TIME schedule a backup every day. */
    is_scheduled: z.boolean(),
    made_at: z.iso.datetime().nullable(),
    failed_at: z.iso.datetime().nullable(),
    rehearsed_at: z.iso.datetime().nullable(),
  }),
  /** The last 30 days, oldest first. */
  work: z.array(WorkDay),
  /** When the certificate of PUBLIC_URL expires; null for http, and when nothing responds there. */
  certificate_ends_at: z.iso.datetime().nullable(),
  failed_sign_ins_last_hour: z.int().nonnegative(),
})
export type InstanceState = z.infer<typeof InstanceState>
