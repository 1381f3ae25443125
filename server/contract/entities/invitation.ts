import { z } from 'zod'
import { NewEmail, PersonName } from '../names.ts'
import { Id, Moment } from '../scalars.ts'
import { Role } from './user.ts'

export const InvitationState = z.enum(['pending', 'accepted', 'expired', 'revoked'])
export type InvitationState = z.infer<typeof InvitationState>

/** The number of days for which the link of an invitation is valid. */
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
  /** When the link was last mailed. */
  sent_at: Moment,
  expires_at: Moment,
  accepted_at: Moment.nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** A parsed row of an imported CSV file. `line` counts from 1, including the header. */
export const ImportRow = z.object({
  line: z.int().positive(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.string(),
  /** What is wrong with the row; empty for a valid row. */
  errors: z.array(z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>
