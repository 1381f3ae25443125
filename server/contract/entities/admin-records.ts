import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'
import { ListSearch } from '../user-list.ts'

/**
 * An event of the append-only audit trail. `target` names what was acted on, and `details` contain no content, token or code.
 * `recording_name` is the current name, or null if the reader may not read the recording or it is gone. The same holds for `case_name`.
 */
export const AuditEvent = z.object({
  id: Id,
  at: Moment,
  action: z.string(),
  outcome: z.enum(['success', 'failure', 'denied']),
  actor: z.string(),
  actor_id: Id.nullable(),
  target: z.string().nullable(),
  ip_address: z.string(),
  request_id: z.string(),
  details: z.string(),
  recording_id: Id.nullable(),
  recording_name: z.string().nullable(),
  /** The e-mail address of its owner at that time. */
  recording_owner: z.string().nullable(),
  recording_uploaded_at: Moment.nullable(),
  /** Whether the reader may open it: false for one in the trash. */
  can_open_recording: z.boolean(),
  /** The case that the event is about, or that the recording was handled in. */
  case_id: Id.nullable(),
  case_name: z.string().nullable(),
})

/** A mail that is stored because no SMTP server is configured or none has accepted it yet. The list has no bodies; reading one is audited. */
export const OutboxMail = z.object({
  id: Id,
  to: z.string(),
  subject: z.string(),
  /** `verification`, `invitation`, `password_reset`, `notice` or `test`. */
  purpose: z.string(),
  /** Failed deliveries, and why the last one failed. */
  attempts: z.int().nonnegative(),
  last_error: z.string().nullable(),
  /** Null when it waits for manual delivery. */
  next_try_at: Moment.nullable(),
  created_at: Moment,
  expires_at: Moment,
})

export const AuditQuery = {
  search: ListSearch,
  action: z.string().trim().max(100).default(''),
  /** `unsuccessful`: failed or denied. */
  outcome: z.enum(['success', 'failure', 'denied', 'unsuccessful', '']).default(''),
  from: Moment.optional(),
  to: Moment.optional(),
}
