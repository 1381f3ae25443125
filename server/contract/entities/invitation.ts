import { z } from 'zod'
import { NewEmail, PersonName } from '../names.ts'
import { Id, Moment } from '../scalars.ts'
import { Role } from './user.ts'

export const InvitationState = z.enum(['pending', 'accepted', 'expired', 'revoked'])
export type InvitationState = z.infer<typeof InvitationState>

/** Days for which the link of an invitation works. */
export const defaultInvitationDays = 7
export const InvitationInput = z.object({
  email: NewEmail,
  first_name: PersonName.default(''),
  last_name: PersonName.default(''),
  role: Role.default('user'),
  days: z.int().min(1).max(30).default(defaultInvitationDays),
})
export type InvitationInput = z.infer<typeof InvitationInput>

/** An invitation as administrators see it, without its link. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: Role,
  state: InvitationState,
  invited_by: z.string(),
  created_at: Moment,
  /** When the link was mailed last. */
  sent_at: Moment,
  expires_at: Moment,
  accepted_at: Moment.nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** A row of an imported CSV file as it was understood. `line` counts from 1 with the header. */
export const ImportRow = z.object({
  line: z.int().positive(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.string(),
  /** What is wrong with the row; empty for a good one. */
  errors: z.array(z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>
