import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ImportRow, Invitation, InvitationInput, InvitationState } from '../entities/invitation.ts'
import { Role, User } from '../entities/user.ts'
import { PersonName, Username } from '../names.ts'
import { Id, IdParams, Message, Moment, PageInfo, Paging } from '../scalars.ts'
import { t } from '../texts/t.ts'

const Token = z.string().min(1).max(512)
/** The text of a CSV file (RFC 4180) whose header names email, first_name, last_name and role; only email is required. */
const CsvText = z.string().min(1, 'The file is empty').max(1_000_000, 'The file must be at most 1 MB')
const days = InvitationInput.shape.days

export const invitations = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/admin/invitations',
    access: 'admin',
    summary: 'Invitations, newest first, searched by e-mail and name',
    query: z.object({
      ...Paging,
      search: z.string().trim().max(200).default(''),
      state: z.union([InvitationState, z.literal('')]).default(''),
    }),
    response: z.object({ invitations: z.array(Invitation), ...PageInfo }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/auth/admin/invitations',
    access: 'admin',
    summary: 'Invite somebody by mail; admins invite users and admins, super admins anybody',
    body: InvitationInput,
    response: z.object({ invitation: Invitation }),
    status: 201,
    errors: ['email_taken', 'conflict', 'registration_closed'],
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/auth/admin/invitations/:id/resend',
    access: 'admin',
    summary: 'Mail a new link, which works as long as the first did; the old one is void',
    params: IdParams,
    response: z.object({ invitation: Invitation }),
    errors: ['not_found', 'conflict', 'registration_closed'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/auth/admin/invitations/:id',
    access: 'admin',
    summary: 'Revoke an invitation; its link is void',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'conflict'],
  }),
  previewImport: endpoint({
    method: 'POST',
    path: '/api/auth/admin/invitations/import/preview',
    access: 'admin',
    summary: 'Check a CSV file of people; nothing is stored',
    body: z.object({ csv: CsvText }),
    response: z.object({ rows: z.array(ImportRow), good: z.int(), bad: z.int() }),
    errors: ['registration_closed'],
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/auth/admin/invitations/import',
    access: 'admin',
    summary: 'Invite everybody in a CSV file, or nobody where a row is wrong',
    body: z.object({ csv: CsvText, days }),
    response: z.object({ invited: z.int() }),
    status: 201,
    errors: ['registration_closed'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/auth/invitations/check',
    access: 'public',
    summary: 'Read an invitation by the token of its link',
    body: z.object({ token: Token }),
    response: z.object({
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      role: Role,
      invited_by: z.string(),
      expires_at: Moment,
    }),
    errors: ['invitation_invalid'],
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/auth/invitations/accept',
    access: 'public',
    summary: 'Create the invited account; the link proves the address, two-factor is set up next',
    body: z.object({
      token: Token,
      username: Username,
      password: z.string().min(1, t('Password is required')).max(1024),
      first_name: PersonName.default(''),
      last_name: PersonName.default(''),
    }),
    response: z.object({ requires_2fa_setup: z.boolean(), user_id: Id, user: User }),
    status: 201,
    errors: ['invitation_invalid', 'email_taken', 'username_taken', 'registration_closed'],
  }),
}
