import { z } from 'zod'
import { Hold } from './holds.ts'
import { RetentionDays } from './retention.ts'
import { RecordingAccess, Recording } from './entities/recording.ts'
import { ReviewProgress } from './review-state.ts'
import { Id, Moment } from './scalars.ts'
import { t } from './texts/t.ts'

/** Colors that help to tell cases apart. */
export const caseColours = ['teal', 'slate', 'rose', 'plum', 'moss', 'clay'] as const
export const CaseColour = z.enum(caseColours)
export type CaseColour = z.infer<typeof CaseColour>

/** What a member may do with the recordings of a case: only read them, or also correct them. */
export const MemberRole = z.enum(['edit', 'view'])
export type MemberRole = z.infer<typeof MemberRole>

/** The owner of a case manages it, and has `edit` on its recordings. */
export const CaseRole = z.enum(['owner', ...MemberRole.options])
export type CaseRole = z.infer<typeof CaseRole>

export const CaseName = z
  .string()
  .normalize()
  .trim()
  .min(1, t('Please enter a name'))
  .max(120, t('A name must be at most 120 characters'))

export const CaseNotes = z.string().normalize().trim().max(20_000, t('Notes must be at most 20,000 characters'))

/** The maximum number of members of a case, including its owner and people who are invited. */
export const maxCaseMembers = 100

/** The maximum number of recordings of a case. */
export const maxCaseRecordings = 10_000

/** The maximum number of cases that a user owns. */
export const maxOwnCases = 500

const Person = z.object({ id: Id, name: z.string() })

/** A case in a list. `role` is the caller's; null for an admin who is not a member. */
export const Case = z.object({
  id: Id,
  name: z.string(),
  colour: CaseColour,
  role: CaseRole.nullable(),
  owner: Person,
  member_count: z.int().positive(),
  recording_count: z.int().nonnegative(),
  created_at: Moment,
  updated_at: Moment,
  /** Present on legal hold: neither the case nor its recordings can be deleted, not even in part. */
  is_held: z.literal(true).optional(),
  /** The number of days that its recordings are kept, 0 for forever; missing when the case has no rule. */
  retention_days: RetentionDays.optional(),
})
export type Case = z.infer<typeof Case>

/** `is_active` is false while the account is deactivated and cannot read anything. */
export const CaseMember = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: CaseRole,
  is_active: z.boolean(),
  added_at: Moment,
})
export type CaseMember = z.infer<typeof CaseMember>

/**
 * A person without an account whom an invitation makes a member on first sign-in. `id` is the id of the invitation; `is_expired` means
 * that it must be sent again.
 */
export const CaseInvitee = z.object({
  id: Id,
  email: z.string(),
  role: MemberRole,
  is_expired: z.boolean(),
  added_at: Moment,
})
export type CaseInvitee = z.infer<typeof CaseInvitee>

/** `notes` is null for an admin who is not a member. The owner comes first among the members. */
export const CaseDetails = Case.extend({
  notes: z.string().nullable(),
  members: z.array(CaseMember),
  /** Excludes people whose invitation was revoked. */
  invitees: z.array(CaseInvitee),
  /** Missing when the case is not on hold. */
  hold: Hold.optional(),
})
export type CaseDetails = z.infer<typeof CaseDetails>

/** A recording in a case, with what the caller may do with it. */
export const CaseRecording = z.object({
  recording: Recording,
  owner: Person,
  access: RecordingAccess,
  added_at: Moment,
  progress: ReviewProgress,
})
export type CaseRecording = z.infer<typeof CaseRecording>

/** A case of a recording; the caller can see both. */
export const CaseOfRecording = Case.pick({ id: true, name: true, colour: true, role: true, member_count: true })
export type CaseOfRecording = z.infer<typeof CaseOfRecording>
