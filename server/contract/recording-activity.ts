import { z } from 'zod'
import { Id, Moment } from './scalars.ts'

/** Actions on a recording that are recorded in the audit trail as `recording.…`. */
export const recordingActions = [
  'upload',
  'open',
  'listen',
  'edit',
  'export',
  'tag',
  'rename',
  'transcribe',
  'translate',
  'trash',
  'restore',
  'delete',
] as const
export type RecordingAction = (typeof recordingActions)[number]

/** An audit trail entry as the owner of the recording sees it, without the addresses of devices. */
export const RecordingActivity = z.object({
  id: Id,
  at: Moment,
  /** The action as in the audit trail, such as `recording.open` or `hold.set`. */
  action: z.string(),
  /** The person who did it; null for Awaz itself, for example on a schedule. */
  who: z.object({ id: Id, name: z.string(), is_you: z.boolean() }).nullable(),
  /** Facts without content, such as the format of an export. */
  details: z.string(),
})
export type RecordingActivity = z.infer<typeof RecordingActivity>
