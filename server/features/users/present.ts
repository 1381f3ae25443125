import type { User } from '#contract/entities/user.ts'
import type { UserRecord } from '#data/users/user-record.ts'

/** Returns a user as the API shows one to others: without hash and secret (`presentOwnUser` adds what users see of themselves). */
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
    created_at: user.createdAt.toISOString(),
    last_login: user.lastLoginAt?.toISOString() ?? null,
  }
}
