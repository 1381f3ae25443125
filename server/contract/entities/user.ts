import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** Roles, weakest first. super_admin includes admin. Accounts specification, section 1. */
export const roles = ['user', 'admin', 'super_admin'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** What proved the owner of an account before an administrator reset it. */
export const FormerFactor = z.enum(['password', 'code', 'passkey'])
export type FormerFactor = z.infer<typeof FormerFactor>

/**
 * A library that an administrative reset closed, and what its owner may open it with; empty where only a super admin can. `former_email`
 * is null where the account still has its former address. `needs_password`: the session began without the present password, which has to
 * be confirmed (POST /api/auth/confirm-password) before any of these opens it; to others it is false.
 */
export const LibraryClosure = z.object({
  closed_at: Moment,
  reason: z.enum(['password', 'address', 'two_factor']),
  proofs: z.array(FormerFactor),
  former_email: z.string().nullable(),
  needs_password: z.boolean(),
})
export type LibraryClosure = z.infer<typeof LibraryClosure>

/** Which address an account has once its library is open: the one from before the reset, or the one it has now. */
export const KeptAddress = z.enum(['former', 'present'])
export type KeptAddress = z.infer<typeof KeptAddress>

/** A password that a super admin sets, to be changed at the next sign-in. `address` counts where the library is opened in the same act. */
export const TemporaryPassword = z.object({
  new_password: z.string().max(1024),
  open_library: z.boolean().default(false),
  address: KeptAddress.default('former'),
})

/** An address that an administrator asked for and that has not taken effect yet. */
export const PendingEmail = z.object({ email: z.string(), effective_at: Moment })

/**
 * A user as the API presents one (accounts specification, section 3). Ours: `must_change_password`; `has_password`, false for people who
 * sign in only through a provider; `has_passkey`; and three that only users themselves get. `two_factor_due` is the time from which the
 * server requires a second factor of the account; null where it requires none, or where the session's provider asked for one.
 * `two_factor_grace` is true while the session may work without: before that moment, or because of that provider. `printed_codes_left`
 * counts the codes of a printed list; null where the second factor is none. To others they are null and false. `library_closure` and
 * `pending_email` are null unless an administrator reset or changed something.
 */
export const User = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  email: z.string(),
  role: Role,
  is_active: z.boolean(),
  is_verified: z.boolean(),
  two_factor_enabled: z.boolean(),
  two_factor_grace: z.boolean(),
  two_factor_due: Moment.nullable(),
  printed_codes_left: z.int().nonnegative().nullable(),
  must_change_password: z.boolean(),
  has_password: z.boolean(),
  has_passkey: z.boolean(),
  library_closure: LibraryClosure.nullable().optional(),
  pending_email: PendingEmail.nullable().optional(),
  created_at: Moment,
  last_login: Moment.nullable(),
})
export type User = z.infer<typeof User>

/** The mails that a user chose to get; other mails, such as codes, always come. */
export const NotificationSettings = z.object({
  /** When a job that the user started and that took long has ended. */
  email: z.boolean(),
  /** When the password or the second factor was changed. */
  security_alerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const defaultNotificationSettings: NotificationSettings = { email: true, security_alerts: true }

/** A signed-in session of one user. Addresses are as the server saw them, never longer than 45 characters. */
export const Session = z.object({
  id: Id,
  ip_address: z.string(),
  user_agent: z.string(),
  created_at: Moment,
  last_used: Moment,
  expires_at: Moment,
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** One attempt to sign in, for the admin's user details. */
export const LoginAttempt = z.object({
  id: Id,
  success: z.boolean(),
  failure_reason: z.string().nullable(),
  ip_address: z.string(),
  attempted_at: Moment,
})
export type LoginAttempt = z.infer<typeof LoginAttempt>
