import { z } from 'zod'
import type { Role } from './entities/user.ts'
import { Id, Moment } from './scalars.ts'

/** The number of days that something is kept; 0 means forever. */
export const RetentionDays = z.int().min(0).max(36_500, 'At most 36,500 days')

/** Days by the role of the owner; null uses RETENTION_DAYS. */
export const RoleDays = z.object({
  user: RetentionDays.nullable(),
  admin: RetentionDays.nullable(),
  super_admin: RetentionDays.nullable(),
} satisfies Record<Role, z.ZodType>)
export type RoleDays = z.infer<typeof RoleDays>

/** The rule by which a recording is deleted: the days of a case, those of its owner's role, or RETENTION_DAYS. */
export const RetentionRule = z.enum(['case', 'role', 'setting'])
export type RetentionRule = z.infer<typeof RetentionRule>

const Person = z.object({ id: Id, name: z.string(), email: z.string() })

/** A case with a separate number of days. */
export const CaseRetention = z.object({
  case: z.object({ id: Id, name: z.string(), owner: Person }),
  days: RetentionDays,
  recording_count: z.int().nonnegative(),
  is_held: z.boolean(),
})
export type CaseRetention = z.infer<typeof CaseRetention>

/** The rules for how long recordings are kept. */
export const RetentionRules = z.object({
  /** RETENTION_DAYS of the responding server. */
  setting_days: RetentionDays,
  role_days: RoleDays,
  cases: z.array(CaseRetention),
})
export type RetentionRules = z.infer<typeof RetentionRules>

/** A recording due for deletion, without its name, which administrators cannot read. `duration` is in seconds, `size` in bytes. */
export const DueRecording = z.object({
  id: Id,
  owner: Person,
  uploaded_at: Moment,
  duration: z.number().nonnegative(),
  size: z.int().nonnegative(),
  rule: RetentionRule,
  /** The case to which `rule` belongs. */
  case: z.object({ id: Id, name: z.string() }).nullable(),
  days: RetentionDays,
  /** The first run after this time deletes it. */
  due_at: Moment,
})
export type DueRecording = z.infer<typeof DueRecording>

/** The maximum number of days that a dry run looks ahead. */
export const maxDaysAhead = 3_650
