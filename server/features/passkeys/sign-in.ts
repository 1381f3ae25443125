import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { Clock } from '#data/clock.ts'
import type { PasskeyChallengeRepository } from '#data/passkeys/passkey-challenges.ts'
import type { PasskeyRecord, PasskeyRepository } from '#data/passkeys/passkeys.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import type { ProvenSignIn } from '../auth/proven-sign-in.ts'
import { canSignInWithPassword, isPasswordExpired, passwordExpiredError } from '../auth/temporary-password.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'
import { assertIsReachedAs, type RelyingParty } from './relying-party.ts'
import { ceremonyTimeoutMs, createSignInOptions, readSignInClaim, verifySignIn } from './webauthn.ts'

const minuteMs = 60_000

interface PasskeySignInDeps {
  config: { signinRequiresVerified: boolean; rates: Pick<Config['rates'], 'signInPerMinute'> }
  relyingParty: RelyingParty
  passkeys: Pick<PasskeyRepository, 'findByCredential' | 'recordUse' | 'exists'>
  challenges: PasskeyChallengeRepository
  users: Pick<Users, 'findById' | 'update'>
  sessions: Pick<Sessions, 'end'>
  signInProven: ProvenSignIn
  limiter: Pick<RateLimiter, 'count'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

interface PasskeySignInRequest {
  challengeId: string
  response: unknown
  isRemembered: boolean
}

export type PasskeySignInOutcome =
  { kind: 'signed_in'; user: UserRecord; session: StartedSession } | { kind: 'requires_verification'; userId: string }

/**
 * Signs users in with only a passkey: the passkey is something they have, and the second factor is their finger, face or PIN, which the
 * device has checked. Nobody can guess a signature, so failures lock no account, and a locked account can be entered this way.
 */
export function createPasskeySignIn(deps: PasskeySignInDeps) {
  const { relyingParty, passkeys, challenges, users, sessions, audit, clock } = deps

  function countCall(name: string, { ip }: RequestOrigin): Promise<void> {
    const message = 'Too many sign-in attempts. Please wait before trying again.'
    const limit = deps.config.rates.signInPerMinute
    return deps.limiter.count({ name, key: ip, limit, windowMs: minuteMs, message })
  }

  /** Returns the options for the browser and the id of their challenge. Throws `conflict` at an address where passkeys cannot work. */
  async function begin(origin: RequestOrigin, requestOrigin: string) {
    await countCall('passkey-begin', origin)
    assertIsReachedAs(relyingParty, requestOrigin)
    const options = await createSignInOptions(relyingParty)
    const challengeId = randomToken()
    const expiresAt = new Date(clock.now() + ceremonyTimeoutMs)
    await challenges.store(challengeKey(challengeId), options.challenge, expiresAt)
    return { challengeId, options }
  }

  /** Throws `sign_in_failed`, the same error for every failed check, `account_deactivated` or `password_expired`. */
  async function signIn(
    { challengeId, response, isRemembered }: PasskeySignInRequest,
    { origin, isBrowser }: { origin: RequestOrigin; isBrowser: boolean },
  ): Promise<PasskeySignInOutcome> {
    await countCall('signin', origin)
    const challenge = await challenges.consume(challengeKey(challengeId), new Date(clock.now()))
    const { user, passkey } = await prove(response, challenge, origin)
    if (user.isActive && deps.config.signinRequiresVerified && !user.isVerified) {
      await record(user, 'denied', 'unverified', origin)
      return { kind: 'requires_verification', userId: user.id }
    }
    if (user.isActive && !canSignInWithPassword(user, clock.now())) {
      await record(user, 'denied', 'password_expired', origin)
      throw passwordExpiredError()
    }
    // The account has a second factor for as long as it has the passkey, so the session needs no further mark.
    const options = { method: 'passkey', isByPasskey: true, isRemembered, isBrowser, origin }
    const started = await deps.signInProven(user, options)
    // Removing a passkey is written before it ends the sessions, so a sign-in in progress is caught either by that or by this check.
    if (!(await passkeys.exists(passkey))) {
      await sessions.end(user.id, started.session.sessionId)
      return fail(user, 'changed_meanwhile', origin)
    }
    if (isPasswordExpired(user, clock.now())) {
      return { kind: 'signed_in', ...started, user: await users.update(user.id, { mustChangePassword: true }) }
    }
    return { kind: 'signed_in', ...started }
  }

  /** Returns the user who signed the challenge. Throws `sign_in_failed`. */
  async function prove(
    response: unknown,
    challenge: string | undefined,
    origin: RequestOrigin,
  ): Promise<{ user: UserRecord; passkey: PasskeyRecord }> {
    const claim = readSignInClaim(response)
    const passkey = claim && (await passkeys.findByCredential(claim.credentialId))
    const user = passkey && (await users.findById(passkey.ownerId))
    if (!claim || !user) return fail(undefined, 'passkey_unknown', origin)
    if (challenge === undefined) return fail(user, 'passkey_challenge', origin)
    // Without this comparison, a passkey that its authenticator keeps for one account could be presented as another account's.
    const isOfUser = claim.userId === user.id
    const verified = isOfUser && (await verifySignIn(claim, passkey, { relyingParty, challenge }))
    if (!verified) return fail(user, 'passkey_signature', origin)
    const use = { ...verified, at: new Date(clock.now()) }
    // A counter that does not increase means that the passkey was copied (WebAuthn Level 3, section 6.1.1).
    if (!(await passkeys.recordUse(passkey, use))) return fail(user, 'passkey_counter', origin)
    return { user, passkey }
  }

  async function record(
    actor: { id: string; email: string } | undefined,
    outcome: 'failure' | 'denied',
    details: string,
    origin: RequestOrigin,
  ): Promise<void> {
    await audit.record({ action: 'auth.signin', outcome, actor: actor ?? { email: '' }, details }, origin)
  }

  async function fail(
    actor: { id: string; email: string } | undefined,
    reason: string,
    origin: RequestOrigin,
  ): Promise<never> {
    await record(actor, 'failure', reason, origin)
    throw new AppError(
      'sign_in_failed',
      'Signing in with this passkey did not work. Please try again, or sign in with your password.',
    )
  }

  return { begin, signIn }
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>

/** Stored as a hash: someone who reads the database cannot use the challenges in it. */
function challengeKey(challengeId: string): string {
  return `sign-in:${hashToken(challengeId)}`
}
