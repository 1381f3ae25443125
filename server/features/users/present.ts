import type { FormerFactor, LibraryClosure, User } from '#contract/entities/user.ts'
import type { UserRecord } from '#data/users/user-record.ts'

/** Presents a user to others, as the API does: without hash and secret (`presentOwnUser` adds what only the user may see). */
export function presentUser(user: UserRecord): User {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    username: user.username,
    email: user.email,
    role: user.role,
    is_active: user.isActive,
    is_verified: user.isVerified,
    two_factor_enabled: user.twoFactor !== null,
    two_factor_grace: false,
    two_factor_due: null,
    printed_codes_left: null,
    must_change_password: user.mustChangePassword,
    has_password: user.hasPassword !== false,
    has_passkey: user.hasPasskey === true,
    pending_email: user.pendingEmail
      ? { email: user.pendingEmail.email, effective_at: user.pendingEmail.effectiveAt.toISOString() }
      : null,
    library_closure: presentClosure(user),
    created_at: user.createdAt.toISOString(),
    last_login: user.lastLoginAt?.toISOString() ?? null,
  }
}

function presentClosure({ libraryClosure, email }: UserRecord): LibraryClosure | null {
  if (!libraryClosure) return null
  const { closedAt, reason, former } = libraryClosure
  const proofs: FormerFactor[] = [
    ...(former.passwordHash === null ? [] : ['password' as const]),
    ...(former.twoFactor === null ? [] : ['code' as const]),
    ...(former.passkeys.length === 0 ? [] : ['passkey' as const]),
  ]
  const former_email = former.email === email ? null : former.email
  return { closed_at: closedAt.toISOString(), reason, proofs, former_email, needs_password: false }
}
