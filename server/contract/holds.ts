import { z } from 'zod'
import { Id, Moment } from './scalars.ts'
import { t } from './texts/t.ts'

/** Why a hold is set or lifted, such as a court order or a matter number. */
export const HoldReason = z
  .string()
  .normalize()
  .trim()
  .min(3, t('Please give a reason'))
  .max(300, t('A reason must be at most 300 characters'))

/** A legal hold: until it is lifted, nothing it covers can be deleted. */
export const Hold = z.object({
  of: z.enum(['recording', 'case']),
  /** The case; null for a hold on a recording, and for a case that the caller cannot see. */
  case: z.object({ id: Id, name: z.string() }).nullable(),
  /** Null for a case that the caller cannot see. */
  reason: z.string().nullable(),
  /** The name of the person who set it; empty for a deleted account, and for a case that the caller cannot see. */
  set_by: z.string(),
  /** Whether an administrator set it, so that only administrators can lift it. */
  is_by_admin: z.boolean(),
  set_at: Moment,
  /** Whether the caller may lift it. */
  can_lift: z.boolean(),
})
export type Hold = z.infer<typeof Hold>

/** The holds that keep a recording from being deleted. */
export const RecordingHolds = z.object({
  /** The hold on the recording itself comes first. */
  holds: z.array(Hold),
  /** Whether the caller may put the recording on hold, or take over its existing hold. */
  can_hold: z.boolean(),
})
export type RecordingHolds = z.infer<typeof RecordingHolds>

/** States kept before something on hold is changed: edited lines, a note, speakers, a doubt, a name, notes and words of a case. */
export const KeptStateKind = z.enum(['lines', 'note', 'speakers', 'doubt', 'name', 'case_notes', 'case_words'])
export type KeptStateKind = z.infer<typeof KeptStateKind>

const Person = z.object({ id: Id, name: z.string(), email: z.string() })

/** A recording on hold as administrators see it, without its name. */
export const HeldRecording = z.object({ id: Id, owner: Person, uploaded_at: Moment, hold: Hold })
export type HeldRecording = z.infer<typeof HeldRecording>

export const HeldCase = z.object({
  id: Id,
  name: z.string(),
  owner: Person,
  recording_count: z.int().nonnegative(),
  hold: Hold,
})
export type HeldCase = z.infer<typeof HeldCase>
