import { AppError } from '#contract/app-error.ts'
import { PersonName } from '#contract/names.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { randomToken } from '#server/security/opaque-tokens.ts'
import type { Audit } from '../audit/service.ts'
import type { Users } from '../users/service.ts'
import { findFreeUsername } from '../users/username-from-email.ts'
import { roleOf } from './admission.ts'
import type { ExternalIdentity } from './external-identity.ts'

interface ProvidedUsersDeps {
  users: Pick<Users, 'create' | 'isUsernameFree'>
  audit: Pick<Audit, 'record'>
}

interface Person {
  /** Checked, in lower case. */
  email: string
  identity: ExternalIdentity
  provider: SignInProviderRecord
}

/** Creates accounts of people at their first sign-in through a provider. Nobody knows their passwords. */
export function createProvidedUsers({ users, audit }: ProvidedUsersDeps) {
  /** Returns the new user; undefined if the address or username was taken in the meantime. */
  return async function createUser(
    { email, identity, provider }: Person,
    origin: RequestOrigin,
  ): Promise<UserRecord | undefined> {
    const role = roleOf(identity.groups, provider.settings) ?? 'user'
    try {
      const user = await users.create(
        {
          email,
          username: await findFreeUsername(users, email),
          password: randomToken(),
          hasPassword: false,
          firstName: cleanName(identity.firstName),
          lastName: cleanName(identity.lastName),
          role,
          isActive: true,
          isVerified: true,
          hasTwoFactorGrace: true,
        },
        origin,
      )
      const entry = { action: 'auth.sso_create', outcome: 'success' as const, actor: user, target: user.email }
      await audit.record({ ...entry, details: `${provider.settings.name}, role ${role}` }, origin)
      return user
    } catch (error) {
      if (error instanceof AppError && (error.code === 'email_taken' || error.code === 'username_taken'))
        return undefined
      throw error
    }
  }
}

/** Returns a name that is valid here. Removes invisible characters if they make it invalid; returns '' if nothing is left. */
function cleanName(name: string): string {
  const asWritten = PersonName.safeParse(name)
  if (asWritten.success) return asWritten.data
  const visible = name.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').replace(/\s+/g, ' ')
  return PersonName.safeParse(visible.trim().slice(0, 100)).data ?? ''
}
