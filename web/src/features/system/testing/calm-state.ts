import type { InstanceState } from '#contract/entities/instance-state.ts'

export const gibibyte = 1024 ** 3
export const calmDays = Array.from({ length: 30 }, (_, day) => ({
  day: `2026-01-${String(day + 1).padStart(2, '0')}`,
  bytes: 0,
}))

const noWork = {
  waiting: null,
  oldest_waiting_seconds: null,
  transcribed_seconds: 0,
  transcription_work_seconds: 0,
  translated_lines: 0,
  translation_work_seconds: 0,
}
export const idleDays: InstanceState['work'] = calmDays.map(({ day }) => ({ day, ...noWork }))

/** The state of a healthy, idle instance. */
export const calmState: InstanceState = {
  warnings: [],
  queue: { waiting: 0, oldest_waiting_seconds: 0, ended_last_day: 12, failed_last_day: 1 },
  database_response_ms: 0.4,
  disk: {
    data: { free_bytes: 60 * gibibyte, size_bytes: 80 * gibibyte },
    backup: null,
    days_left: null,
    added: calmDays,
  },
  backups: { is_scheduled: true, made_at: null, failed_at: null, rehearsed_at: null },
  work: idleDays,
  certificate_ends_at: null,
  failed_sign_ins_last_hour: 0,
}
