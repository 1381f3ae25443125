import { z } from 'zod'
import { Id, Moment } from './scalars.ts'

/** What is done with a recording and stands in the audit trail as `recording.…`. */
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

/** An entry of the audit trail as the owner of its recording sees it: without addresses of devices. */
export const RecordingActivity = z.object({
  id: Id,
  at: Moment,
  /** As in the audit trail, such as `recording.open` and `hold.set`. */
  action: z.string(),
  /** Who did it; null for Awaz itself, as for a schedule. */
  who: z.object({ id: Id, name: z.string(), is_you: z.boolean() }).nullable(),
  /** Facts without content, such as the format of an export. */
  details: z.string(),
})
export type RecordingActivity = z.infer<typeof RecordingActivity>
