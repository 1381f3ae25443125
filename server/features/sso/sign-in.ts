import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Lockouts } from '#server/security/lockouts.ts'
import type { PasswordHasher } from '#server/security/password-hasher.ts'
import type { Audit } from '../audit/service.ts'
import type { ProvenSignIn } from '../auth/proven-sign-in.ts'
import { canSignInWithPassword, passwordExpiredError } from '../auth/temporary-password.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import { isCodeShaped, malformedCodeMessage, type TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import type { SsoAccounts } from './accounts.ts'
import { deniedError } from './denied.ts'
import type { ExternalIdentity } from './external-identity.ts'
import type { ShownTicket, SsoTickets } from './tickets.ts'

/** What is kept of a person whom a provider proved until the session starts. */
const PendingSignIn = z.object({
  providerId: z.string(),
  userId: z.string(),
  /** Whether the account must be proven before it is linked to the person. */
  isLinking: z.boolean(),
  identity: z.object({
    subject: z.string(),
    email: z.string(),
    isEmailVerified: z.boolean(),
    firstName: z.string(),
    lastName: z.string(),
    groups: z.array(z.string()),
    hasProvenSecondFactor: z.boolean(),
  }),
  isRemembered: z.boolean(),
  /** The provider's own session and its token, sealed, for single sign-out: see SessionDocument. */
  sid: z.string().nullable(),
  idToken: z.string().nullable(),
})
type PendingSignIn = z.infer<typeof PendingSignIn>

/** How a provider's proof was made, and what the person chose. */
export interface ProofContext {
  origin: RequestOrigin
  isRemembered: boolean
  /** Default null: a directory has neither. */
  sid?: string | null
  idToken?: string | null
}

/** What is entered to finish, by which browser. */
export interface FinishRequest extends ShownTicket {
  code: string | undefined
  password: string | undefined
  origin: RequestOrigin
  isBrowser: boolean
}

export type SsoOutcome =
  | { kind: 'signed_in'; user: UserRecord; session: StartedSession; hasProvenSecondFactor: boolean }
  | { kind: 'requires_2fa'; userId: string; methods: ('code' | 'passkey')[] }
  | { kind: 'requires_link'; email: string; providerName: string; requiresCode: boolean }

interface SsoSignInDeps {
  accounts: SsoAccounts
  tickets: SsoTickets
  findEnabledProvider: (id: string) => Promise<SignInProviderRecord | undefined>
  users: Pick<Users, 'findById'>
  sessions: Pick<Sessions, 'end'>
  hasher: Pick<PasswordHasher, 'runInTurn'>
  lockouts: Pick<Lockouts, 'begin'>
  twoFactor: Pick<TwoFactorService, 'consumeCode'>
  signInProven: ProvenSignIn
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Signs in people whom a provider proved: a ticket first, then a session for it, with our second factor where it is needed. */
export function createSsoSignIn(deps: SsoSignInDeps) {
  const { accounts, tickets, users, audit } = deps

  /**
   * Returns a ticket for a person whom a provider just proved, to be exchanged by `finish` in the same browser. Throws `sso_denied` or
   * `account_deactivated`.
   */
  async function begin(
    identity: ExternalIdentity,
    provider: SignInProviderRecord,
    { origin, isRemembered, sid = null, idToken = null }: ProofContext,
  ): Promise<{ token: string; binding: string }> {
    const { kind, user } = await accounts.resolve(identity, provider, origin)
    const isLinking = kind === 'link'
    const pending: PendingSignIn = {
      providerId: provider.id,
      userId: user.id,
      isLinking,
      identity,
      isRemembered,
      sid,
      idToken,
    }
    return tickets.issue('ticket', pending)
  }

  /**
   * Exchanges a ticket for a session, or returns what must be entered first; a wrong code or password leaves the ticket. Throws
   * `sso_denied`, `account_deactivated`, `account_locked`, `wrong_code` or `wrong_password`.
   */
  async function finish(request: FinishRequest): Promise<SsoOutcome> {
    if (request.code !== undefined && !isCodeShaped(request.code))
      throw invalidInput([malformedCodeMessage], 'totp_token')
    const pending = await tickets.read('ticket', request, PendingSignIn)
    if (!pending) throw deniedError('ended', '')
    const provider = await deps.findEnabledProvider(pending.providerId)
    if (!provider) throw deniedError('removed', 'This way of signing in')
    const user = await users.findById(pending.userId)
    if (!user) throw deniedError('ended', '')
    const missing = pending.isLinking
      ? await proveForLink(user, provider, request)
      : await proveSecondFactor(user, provider, pending, request)
    if (missing) return missing
    if (!(await tickets.consume('ticket', request, PendingSignIn))) throw deniedError('ended', '')
    const owner = pending.isLinking ? await accounts.linkProven(user, pending.identity, provider, request.origin) : user
    return start(owner, provider, pending, request)
  }

  /** Returns what is missing before an account may be linked: its password, and its code where it has two-factor. */
  async function proveForLink(
    user: UserRecord,
    { id, settings }: SignInProviderRecord,
    { password, code, origin }: FinishRequest,
  ): Promise<SsoOutcome | undefined> {
    const requiresCode = user.twoFactor !== null
    if (!password || (requiresCode && !code)) {
      return { kind: 'requires_link', email: user.email, providerName: settings.name, requiresCode }
    }
    const requester = { address: origin.ip, account: user.id }
    await deps.hasher.runInTurn(requester, (hasher) =>
      checkCounted(user, id, origin, async () => {
        if (!(await hasher.verify(password, user.passwordHash))) return 'wrong_password'
        if (requiresCode && code && !(await deps.twoFactor.consumeCode(user, code, origin.ip))) return 'wrong_code'
        return undefined
      }),
    )
    if (!user.isActive) throw deactivatedError()
    if (!canSignInWithPassword(user, deps.clock.now())) throw new AppError('sso_denied', passwordExpiredError().message)
    return undefined
  }

  /** Returns what is missing where neither the provider asked for a second factor nor its settings say that it does. */
  async function proveSecondFactor(
    user: UserRecord,
    provider: SignInProviderRecord,
    { identity }: PendingSignIn,
    { code, origin }: FinishRequest,
  ): Promise<SsoOutcome | undefined> {
    const hasCodes = user.twoFactor !== null
    if (isProvenByProvider(identity, provider) || (!hasCodes && !user.hasPasskey)) return undefined
    if (!code || !hasCodes) {
      const methods = [...(hasCodes ? ['code' as const] : []), ...(user.hasPasskey ? ['passkey' as const] : [])]
      return { kind: 'requires_2fa', userId: user.id, methods }
    }
    await checkCounted(user, provider.id, origin, async () =>
      (await deps.twoFactor.consumeCode(user, code, origin.ip)) ? undefined : 'wrong_code',
    )
    return undefined
  }

  /**
   * Counts a check as an attempt on the account through this provider. It has a counter of its own, so that strangers who guess
   * passwords cannot lock out people whom the provider knows. Throws `account_locked`, `wrong_password` or `wrong_code`.
   */
  async function checkCounted(
    user: UserRecord,
    providerId: string,
    origin: RequestOrigin,
    check: () => Promise<'wrong_password' | 'wrong_code' | undefined>,
  ): Promise<void> {
    const attempt = await deps.lockouts.begin(user.email, { session: `sso:${providerId}` })
    const failure = await check()
    if (!failure) return attempt.succeed()
    await audit.record({ action: 'auth.signin', outcome: 'failure', actor: user, details: failure }, origin)
    throw new AppError(failure, failureMessages[failure])
  }

  async function start(
    user: UserRecord,
    provider: SignInProviderRecord,
    { identity, isRemembered, sid, idToken }: PendingSignIn,
    { origin, isBrowser }: FinishRequest,
  ): Promise<SsoOutcome> {
    const hasProvenSecondFactor = isProvenByProvider(identity, provider)
    const started = await deps.signInProven(user, {
      method: provider.settings.name,
      isRemembered,
      isBrowser,
      origin,
      hasProvenSecondFactor,
      provider: { id: provider.id, sid, idToken },
    })
    // Removing is written first and ends sessions then, so either that or this check finds a sign-in under way.
    if (!(await deps.findEnabledProvider(provider.id))) {
      await deps.sessions.end(user.id, started.session.sessionId)
      throw deniedError('removed', provider.settings.name)
    }
    return { kind: 'signed_in', ...started, hasProvenSecondFactor }
  }

  return { begin, finish }
}

export type SsoSignIn = ReturnType<typeof createSsoSignIn>

const failureMessages = {
  wrong_password: 'The password is wrong. Please enter the one that you have used here so far.',
  wrong_code: 'Invalid verification code. Please try again.',
}

function isProvenByProvider(identity: ExternalIdentity, { settings }: SignInProviderRecord): boolean {
  return identity.hasProvenSecondFactor || settings.replaces_two_factor
}

function deactivatedError(): AppError {
  return new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
}
