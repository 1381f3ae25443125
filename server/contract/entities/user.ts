import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** Roles, weakest first. super_admin includes admin. Accounts specification, section 1. */
export const roles = ['user', 'admin', 'super_admin'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** How the owner of an account could prove their identity before an administrator reset it. */
export const FormerFactor = z.enum(['password', 'code', 'passkey'])
export type FormerFactor = z.infer<typeof FormerFactor>

/**
 * A library closed by an administrative reset, and the factors with which its owner can open it; empty when only a super admin can.
 * `former_email` is null when the account still has its former address. `needs_password`: the session began without the current password,
 * which must be confirmed (POST /api/auth/confirm-password) before any of the factors opens the library; false for other users.
 */
export const LibraryClosure = z.object({
  closed_at: Moment,
  reason: z.enum(['password', 'address', 'two_factor']),
  proofs: z.array(FormerFactor),
  former_email: z.string().nullable(),
  needs_password: z.boolean(),
})
export type LibraryClosure = z.infer<typeof LibraryClosure>

/** Which address an account keeps when its library is opened: the one from before the reset, or the present one. */
export const KeptAddress = z.enum(['former', 'present'])
export type KeptAddress = z.infer<typeof KeptAddress>

/** A password set by a super admin, to be changed at the next sign-in. `address` applies when the same call opens the library. */
export const TemporaryPassword = z.object({
  new_password: z.string().max(1024),
  open_library: z.boolean().default(false),
  address: KeptAddress.default('former'),
})

/** An address requested by an administrator that has not taken effect yet. */
export const PendingEmail = z.object({ email: z.string(), effective_at: Moment })

/**
 * A user as the API presents it (accounts specification, section 3). Our additions: `must_change_password`; `has_password`, false for
 * people who sign in only through a provider; `has_passkey`; and three fields that only users themselves see. `two_factor_due` is the time
 * from which the server requires a second factor of the account; null when it requires none, or when the session's provider required one.
 * `two_factor_grace` is true while the session may work without a second factor: before that time, or because of that provider.
 * `printed_codes_left` counts the codes left on a printed list; null when the second factor is not a list. For other users, the three are
 * null or false. `library_closure` and `pending_email` are null unless an administrator reset or changed something.
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

/** The mails that a user has chosen to receive; others, such as codes, are always sent. */
export const NotificationSettings = z.object({
  /** Sent when a long job started by the user has ended. */
  email: z.boolean(),
  /** Sent when the password or the second factor was changed. */
  security_alerts: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

export const defaultNotificationSettings: NotificationSettings = { email: true, security_alerts: true }

/** A signed-in session of one user. Addresses are as the server saw them, at most 45 characters long. */
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

/** An attempt to sign in, shown in the admin's user details. */
export const LoginAttempt = z.object({
  id: Id,
  success: z.boolean(),
  failure_reason: z.string().nullable(),
  ip_address: z.string(),
  attempted_at: Moment,
})
export type LoginAttempt = z.infer<typeof LoginAttempt>
