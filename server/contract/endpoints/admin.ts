import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { LoginAttempt, Role, Session, User } from '../entities/user.ts'
import { Email, Id, IdParams, Message, Moment, PageInfo, Paging } from '../scalars.ts'
import { SignUp } from './auth.ts'

/** Limits the length alone: `ChangedNames` applies to changed names, so that an existing name may be sent back unchanged. */
const NameInput = z.string().max(200).optional()
const Search = z.string().trim().max(200).default('')
const Flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1')
/** Narrows a list of users to those of one state. */
export const UserState = z.enum(['', 'active', 'inactive', 'verified', 'unverified', 'with_2fa', 'without_2fa'])
export type UserState = z.infer<typeof UserState>
/** Columns by which users are sorted; `last_login` puts who never signed in first. */
export const UserSort = z.enum(['created_at', 'name', 'email', 'role', 'last_login'])
export type UserSort = z.infer<typeof UserSort>
const UserFilters = {
  search: Search,
  state: UserState.default(''),
  role: z.enum(['all', '', 'user', 'admin', 'super_admin']).default(''),
  /** Only users who have not signed in for so many days; 0: all. */
  inactive_days: z.coerce.number().int().min(0).max(3650).default(0),
  sort: UserSort.default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
}
export const BulkAction = z.enum(['activate', 'deactivate', 'revoke_sessions', 'make_user', 'make_admin', 'delete'])
export type BulkAction = z.infer<typeof BulkAction>

/** A session with the user it belongs to. */
const UserSession = Session.extend({
  user: User.pick({ id: true, first_name: true, last_name: true, username: true, email: true, role: true }),
})
export type UserSession = z.infer<typeof UserSession>
const UserPage = z.object({ users: z.array(User), ...PageInfo })

/** An event of the append-only audit trail. `target` names what was acted on; `details` contain no content, token or code. */
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
})

/** A mail that is stored because no SMTP server is configured or none has accepted it yet. The list has no bodies; reading one is audited. */
export const OutboxMail = z.object({
  id: Id,
  to: z.string(),
  subject: z.string(),
  /** Failed deliveries, and why the last one failed. */
  attempts: z.int().nonnegative(),
  last_error: z.string().nullable(),
  /** Null when it waits for manual delivery. */
  next_try_at: Moment.nullable(),
  created_at: Moment,
  expires_at: Moment,
})

const AuditQuery = {
  search: Search,
  action: z.string().trim().max(100).default(''),
  outcome: z.enum(['success', 'failure', 'denied', '']).default(''),
  from: Moment.optional(),
  to: Moment.optional(),
}

export const admin = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/auth/admin/users',
    access: 'admin',
    summary: 'Users, newest first, searched by name, username and e-mail',
    query: z.object({ ...Paging, ...UserFilters }),
    response: UserPage,
    errors: [],
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/api/auth/admin/users/:id',
    access: 'admin',
    summary: 'One user with sessions and recent attempts to sign in',
    params: IdParams,
    response: z.object({
      user: User,
      sessions: z.array(Session),
      recent_login_attempts: z.array(LoginAttempt),
      locked_seconds: z.int().nonnegative(),
      /** Names of the providers that the account is linked to. */
      providers: z.array(z.string()),
    }),
    errors: ['not_found'],
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/api/auth/admin/users/:id',
    access: 'admin',
    summary: 'Change names, username or e-mail; a new address must be verified again and ends their sessions',
    params: IdParams,
    body: z.object({
      first_name: NameInput,
      last_name: NameInput,
      username: NameInput,
      email: Email.optional(),
    }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict', 'email_taken', 'username_taken'],
  }),
  resetTwoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/admin/users/:id/reset-2fa',
    access: 'admin',
    summary: 'Disable two-factor of a user who lost phone and backup codes; the reason is audited',
    params: IdParams,
    body: z.object({
      reason: z.string().trim().min(3, 'Please give a reason').max(300, 'Reason must be at most 300 characters'),
    }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/api/auth/admin/users/:id/role',
    access: 'admin',
    summary: 'Set the role to user or admin; ends their sessions',
    params: IdParams,
    body: z.object({ role: z.enum(['user', 'admin']) }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  setStatus: endpoint({
    method: 'PUT',
    path: '/api/auth/admin/users/:id/status',
    access: 'admin',
    summary: 'Activate or deactivate a user; deactivating ends their sessions',
    params: IdParams,
    body: z.object({ is_active: z.boolean() }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  unlockUser: endpoint({
    method: 'POST',
    path: '/api/auth/admin/users/:id/unlock',
    access: 'admin',
    summary: 'Unlock an account that is locked after failed attempts',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  revokeSessions: endpoint({
    method: 'DELETE',
    path: '/api/auth/admin/users/:id/sessions',
    access: 'admin',
    summary: 'End all sessions of a user',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/auth/admin/users/:id',
    access: 'admin',
    summary: 'Delete a user with jobs, sessions, keywords, recordings and files; never a super admin',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'conflict'],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/auth/admin/stats',
    access: 'admin',
    summary: 'Numbers of users: all, active, verified, with two-factor',
    response: z.object({
      total_users: z.int(),
      active_users: z.int(),
      verified_users: z.int(),
      users_with_2fa: z.int(),
    }),
    errors: [],
  }),
  overview: endpoint({
    method: 'GET',
    path: '/api/auth/admin/overview',
    access: 'admin',
    summary: 'Numbers for the overview of the administration; those of mail are 0 for admins who may not see it',
    response: z.object({
      total_users: z.int(),
      active_users: z.int(),
      inactive_users: z.int(),
      unverified_users: z.int(),
      users_without_2fa: z.int(),
      /** Who has not signed in for 90 days, or never. */
      dormant_users: z.int(),
      pending_invitations: z.int(),
      open_sessions: z.int(),
      /** Denied or failed sign-ins of the last 24 hours. */
      failed_sign_ins: z.int(),
      waiting_mails: z.int(),
      failing_mails: z.int(),
    }),
    errors: [],
  }),
  usersCsv: endpoint({
    method: 'GET',
    path: '/api/auth/admin/users.csv',
    access: 'admin',
    summary: 'The users that match as CSV (RFC 4180)',
    query: z.object(UserFilters),
    response: z.string(),
    transport: 'file',
    errors: [],
  }),
  bulkUsers: endpoint({
    method: 'POST',
    path: '/api/auth/admin/users/bulk',
    access: 'admin',
    summary: 'One action on up to 200 users, each by the rules of its own endpoint',
    body: z.object({ ids: z.array(Id).min(1).max(200), action: BulkAction }),
    response: z.object({
      done: z.int(),
      failed: z.array(z.object({ id: Id, email: z.string(), error: z.string() })),
    }),
    errors: [],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/auth/admin/sessions',
    access: 'admin',
    summary: 'The open sessions of all users, last used first, searched by name and e-mail',
    query: z.object({ ...Paging, search: Search }),
    response: z.object({ sessions: z.array(UserSession), ...PageInfo }),
    errors: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/admin/sessions/:id',
    access: 'admin',
    summary: 'End one session of any user; those of super admins only by super admins',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  audit: endpoint({
    method: 'GET',
    path: '/api/auth/admin/audit',
    access: 'admin',
    summary: 'The audit trail, newest first',
    query: z.object({ ...Paging, ...AuditQuery }),
    response: z.object({ events: z.array(AuditEvent), ...PageInfo }),
    errors: [],
  }),
  auditCsv: endpoint({
    method: 'GET',
    path: '/api/auth/admin/audit.csv',
    access: 'admin',
    summary: 'The audit trail as CSV (RFC 4180), at most 100,000 rows',
    query: z.object(AuditQuery),
    response: z.string(),
    transport: 'file',
    errors: [],
  }),
}

export const superAdmin = {
  createUser: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/create-user',
    access: 'super_admin',
    summary: 'Create a user of any role; the password must be changed at the first sign-in',
    body: SignUp.extend({
      role: Role.default('user'),
      is_verified: z.boolean().default(true),
      is_active: z.boolean().default(true),
    }),
    response: z.object({ user: User }),
    status: 201,
    errors: ['email_taken', 'username_taken'],
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/api/auth/super-admin/users',
    access: 'super_admin',
    summary: 'All users, filtered by role',
    query: z.object({ ...Paging, ...UserFilters, exclude_self: Flag }),
    response: UserPage,
    errors: [],
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/auth/super-admin/users/:id',
    access: 'super_admin',
    summary: 'Delete any user except the last active super admin',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'conflict'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/users/:id/reset-password',
    access: 'super_admin',
    summary: 'Set a password that must be changed at the next sign-in',
    params: IdParams,
    body: z.object({ new_password: z.string().max(1024) }),
    response: Message,
    errors: ['not_found'],
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/users/:id/role',
    access: 'super_admin',
    summary: 'Give a user any role',
    params: IdParams,
    body: z.object({ role: Role }),
    response: z.object({ user: User }),
    errors: ['not_found', 'conflict'],
  }),
  outbox: endpoint({
    method: 'GET',
    path: '/api/auth/super-admin/outbox',
    access: 'super_admin',
    summary: 'Mails that wait for the next attempt or for manual delivery, without their text',
    response: z.object({ mails: z.array(OutboxMail), is_smtp_configured: z.boolean() }),
    errors: [],
  }),
  readMail: endpoint({
    method: 'GET',
    path: '/api/auth/super-admin/outbox/:id',
    access: 'super_admin',
    summary: 'Read one stored mail; audited',
    params: IdParams,
    response: OutboxMail.extend({ text: z.string() }),
    errors: ['not_found'],
  }),
  sendMail: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/outbox/:id/send',
    access: 'super_admin',
    summary: 'Send a waiting mail now',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'conflict', 'mail_failed'],
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/test-mail',
    access: 'super_admin',
    summary: 'Send a test mail now, to the given address or to the caller; audited',
    body: z.object({ to: Email.optional() }).default({}),
    response: Message,
    errors: ['conflict', 'mail_failed'],
  }),
}
