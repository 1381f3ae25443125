import { z } from 'zod'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { ProvenSignIn } from '../auth/proven-sign-in.ts'
import type { LibraryProofs } from '../closed-library/proofs.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import { isCodeShaped, malformedCodeMessage } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import type { SsoAccounts } from './accounts.ts'
import { addressOf } from './admission.ts'
import { deniedError } from './denied.ts'
import type { ExternalIdentity } from './external-identity.ts'
import { isProvenByProvider, type MissingProof, type SsoProofs } from './proofs.ts'
import type { ShownTicket, SsoTickets } from './tickets.ts'

/** What is kept about a person identified by a provider until the session starts. */
const PendingSignIn = z.object({
  providerId: z.string(),
  /** When the provider was last changed, in milliseconds since 1970: its proof holds for the settings at that time. */
  providerUpdatedAt: z.number(),
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
  /** The provider's session id and ID token, sealed, for single sign-out: see SessionDocument. */
  sid: z.string().nullable(),
  idToken: z.string().nullable(),
})
type PendingSignIn = z.infer<typeof PendingSignIn>

/** How the provider proved the person, and what the person chose. */
export interface ProofContext {
  origin: RequestOrigin
  isRemembered: boolean
  /** Default null: a directory has neither. */
  sid?: string | null
  idToken?: string | null
}

/** What was entered to finish, and in which browser. */
export interface FinishRequest extends ShownTicket {
  code: string | undefined
  password: string | undefined
  origin: RequestOrigin
  isBrowser: boolean
}

export type SsoOutcome =
  { kind: 'signed_in'; user: UserRecord; session: StartedSession; hasProvenSecondFactor: boolean } | MissingProof

interface SsoSignInDeps {
  accounts: SsoAccounts
  tickets: SsoTickets
  findEnabledProvider: (id: string) => Promise<SignInProviderRecord | undefined>
  users: Pick<Users, 'findById' | 'update'>
  sessions: Pick<Sessions, 'end'>
  proofs: SsoProofs
  signInProven: ProvenSignIn
  libraryProofs: Pick<LibraryProofs, 'recognizeProvider'>
  audit: Pick<Audit, 'record'>
  config: { signinRequiresVerified: boolean }
}

/** Signs in people identified by a provider: first a ticket, then a session in exchange for it, with our second factor where needed. */
export function createSsoSignIn(deps: SsoSignInDeps) {
  const { accounts, tickets, users, proofs } = deps

  /**
   * Returns a ticket for a person just identified by a provider, to be exchanged by `finish` in the same browser. Throws `sso_denied` or
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
      providerUpdatedAt: provider.updatedAt.getTime(),
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
   * Exchanges a ticket for a session, or returns what must be entered first; a wrong code or password does not use up the ticket. Throws
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
    if (!user || !isStillTrue(pending, provider, user)) throw deniedError('ended', '')
    const missing = pending.isLinking
      ? await proofs.proveForLink(user, provider, request)
      : await proofs.proveSecondFactor(user, provider, { ...request, identity: pending.identity })
    if (missing) return missing
    if (!(await tickets.consume('ticket', request, PendingSignIn))) throw deniedError('ended', '')
    const owner = pending.isLinking ? await accounts.linkProven(user, pending.identity, provider, request.origin) : user
    return start(await requireVerified(owner, provider, pending, request), provider, pending, request)
  }

  /**
   * Returns the user, marked as verified if the provider vouches for the address. Throws `sso_denied` for a different, unverified address,
   * for example after an administrator changed it, if signing in requires a verified one.
   */
  async function requireVerified(
    user: UserRecord,
    { settings }: SignInProviderRecord,
    { identity }: PendingSignIn,
    { origin }: FinishRequest,
  ): Promise<UserRecord> {
    if (user.isVerified) return user
    if (identity.isEmailVerified && addressOf(identity) === user.email) {
      return users.update(user.id, { isVerified: true })
    }
    if (!deps.config.signinRequiresVerified) return user
    await deps.audit.record({ action: 'auth.signin', outcome: 'denied', actor: user, details: 'unverified' }, origin)
    throw deniedError('unverified_account', settings.name)
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
    // Removals and changes are written before they end sessions, so a sign-in in progress is caught either by that or by this check.
    const current = await deps.findEnabledProvider(provider.id)
    if (current?.updatedAt.getTime() !== provider.updatedAt.getTime()) {
      await deps.sessions.end(user.id, started.session.sessionId)
      throw deniedError(current ? 'ended' : 'removed', provider.settings.name)
    }
    await deps.libraryProofs.recognizeProvider({
      user: started.user,
      session: { id: started.session.sessionId },
      origin,
    })
    return {
      kind: 'signed_in',
      ...started,
      user: (await users.findById(user.id)) ?? started.user,
      hasProvenSecondFactor,
    }
  }

  return { begin, finish }
}

export type SsoSignIn = ReturnType<typeof createSsoSignIn>

/**
 * Returns whether what was proven still holds: the provider has the same settings as at the proof (another issuer may have a different
 * person with the same subject), and an account to be linked still has the address that the provider vouched for and an open library.
 */
function isStillTrue(
  { providerUpdatedAt, isLinking, identity }: PendingSignIn,
  { updatedAt }: SignInProviderRecord,
  { email, libraryClosure }: UserRecord,
): boolean {
  const canLink = addressOf(identity) === email && !libraryClosure
  return providerUpdatedAt === updatedAt.getTime() && (!isLinking || canLink)
}
