import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Lockouts } from '#server/security/lockouts.ts'
import type { PasswordHasher } from '#server/security/password-hasher.ts'
import type { Audit } from '../audit/service.ts'
import { canSignInWithPassword, passwordExpiredError } from '../auth/temporary-password.ts'
import type { TwoFactorService } from '../two-factor/service.ts'
import type { ExternalIdentity } from './external-identity.ts'

/** What must be entered before the session starts. */
export type MissingProof =
  | { kind: 'requires_2fa'; userId: string; methods: ('code' | 'passkey')[] }
  | { kind: 'requires_link'; email: string; providerName: string; requiresCode: boolean }

/** What was entered. Codes have the right shape (`isCodeShaped`). */
interface Entered {
  code: string | undefined
  password: string | undefined
  origin: RequestOrigin
}

interface SsoProofsDeps {
  hasher: Pick<PasswordHasher, 'runInTurn'>
  lockouts: Pick<Lockouts, 'begin'>
  twoFactor: Pick<TwoFactorService, 'consumeCode'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** What people prove here, in addition to what the provider has proved. */
export function createSsoProofs({ hasher, lockouts, twoFactor, audit, clock }: SsoProofsDeps) {
  /**
   * Returns what is missing before an account may be linked: its password, and its code if it has two-factor authentication. An account
   * that has only passkeys is not linked, because its passkey signs in directly. Throws `account_locked`, `wrong_password`, `wrong_code`,
   * `account_deactivated`, or `sso_denied` for an expired password.
   */
  async function proveForLink(
    user: UserRecord,
    { id, settings }: SignInProviderRecord,
    { password, code, origin }: Entered,
  ): Promise<MissingProof | undefined> {
    const requiresCode = user.twoFactor !== null
    if (!password || (requiresCode && !code)) {
      return { kind: 'requires_link', email: user.email, providerName: settings.name, requiresCode }
    }
    const requester = { address: origin.ip, account: user.id }
    await hasher.runInTurn(requester, (direct) =>
      checkCounted(user, id, origin, async () => {
        if (!(await direct.verify(password, user.passwordHash))) return 'wrong_password'
        if (requiresCode && code && !(await twoFactor.consumeCode(user, code, origin.ip))) return 'wrong_code'
        return undefined
      }),
    )
    if (!user.isActive) {
      await audit.record({ action: 'auth.signin', outcome: 'denied', actor: user, details: 'deactivated' }, origin)
      throw new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
    }
    if (!canSignInWithPassword(user, clock.now())) throw new AppError('sso_denied', passwordExpiredError().message)
    if (!requiresCode && user.hasPasskey) return { kind: 'requires_2fa', userId: user.id, methods: ['passkey'] }
    return undefined
  }

  /**
   * Returns what is missing if the provider did not ask for a second factor and its settings do not say that it does. Throws
   * `account_locked` or `wrong_code`.
   */
  async function proveSecondFactor(
    user: UserRecord,
    provider: SignInProviderRecord,
    { identity, code, origin }: Pick<Entered, 'code' | 'origin'> & { identity: ExternalIdentity },
  ): Promise<MissingProof | undefined> {
    const hasCodes = user.twoFactor !== null
    if (isProvenByProvider(identity, provider) || (!hasCodes && !user.hasPasskey)) return undefined
    if (!code || !hasCodes) {
      const methods = [...(hasCodes ? ['code' as const] : []), ...(user.hasPasskey ? ['passkey' as const] : [])]
      return { kind: 'requires_2fa', userId: user.id, methods }
    }
    await checkCounted(user, provider.id, origin, async () =>
      (await twoFactor.consumeCode(user, code, origin.ip)) ? undefined : 'wrong_code',
    )
    return undefined
  }

  /**
   * Counts a check as an attempt on the account through this provider. Such attempts are counted separately, so that strangers guessing
   * passwords cannot lock out people whom the provider knows.
   */
  async function checkCounted(
    user: UserRecord,
    providerId: string,
    origin: RequestOrigin,
    check: () => Promise<keyof typeof failureMessages | undefined>,
  ): Promise<void> {
    const attempt = await lockouts.begin(user.email, { session: `sso:${providerId}` }).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'account_locked') {
        await audit.record({ action: 'auth.signin', outcome: 'denied', actor: user, details: 'locked' }, origin)
      }
      throw error
    })
    const failure = await check()
    if (!failure) return attempt.succeed()
    await audit.record({ action: 'auth.signin', outcome: 'failure', actor: user, details: failure }, origin)
    throw new AppError(failure, failureMessages[failure])
  }

  return { proveForLink, proveSecondFactor }
}

export type SsoProofs = ReturnType<typeof createSsoProofs>

const failureMessages = {
  wrong_password: 'The password is wrong. Please enter the one that you have used here so far.',
  wrong_code: 'Invalid verification code. Please try again.',
}

/** Returns whether the provider replaces our second factor: either it states that it asked for one, or its settings say that it does. */
export function isProvenByProvider(identity: ExternalIdentity, { settings }: SignInProviderRecord): boolean {
  return identity.hasProvenSecondFactor || settings.replaces_two_factor
}
