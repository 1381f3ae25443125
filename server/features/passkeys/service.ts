import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { PasskeyChallengeRepository } from '#data/passkeys/passkey-challenges.ts'
import type { PasskeyRecord, PasskeyRepository } from '#data/passkeys/passkeys.ts'
import type { AuthSession, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import { assertRecentPassword } from '../sessions/recent-password.ts'
import type { TwoFactorChange } from '../two-factor/change.ts'
import type { Users } from '../users/service.ts'
import { assertIsReachedAs, type RelyingParty } from './relying-party.ts'
import { ceremonyTimeoutMs, createRegistrationOptions, verifyRegistration } from './webauthn.ts'

interface PasskeysDeps {
  relyingParty: RelyingParty
  passkeys: PasskeyRepository
  challenges: PasskeyChallengeRepository
  users: Pick<Users, 'get' | 'findById' | 'update'>
  twoFactorChange: TwoFactorChange
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Who acts, in which session and from where. */
interface PasskeyContext {
  userId: string
  session: AuthSession
  origin: RequestOrigin
}

const challengeKey = ({ session }: Pick<PasskeyContext, 'session'>) => `session:${session.id}`

/** Manages users' passkeys (WebAuthn Level 3). What all changes have in common is in two-factor/change.ts. */
export function createPasskeys(deps: PasskeysDeps) {
  const { relyingParty, passkeys, challenges, users, twoFactorChange, audit, clock } = deps

  /**
   * Sets whether the user has a passkey. Repeats until the value written matches the collection: the last to write has seen everything
   * added and removed before.
   */
  async function updateOwner(userId: string): Promise<void> {
    let hasPasskey: boolean
    do {
      hasPasskey = (await passkeys.count(userId)) > 0
      await users.update(userId, { hasPasskey })
    } while ((await passkeys.count(userId)) > 0 !== hasPasskey)
  }

  /**
   * Returns the options for the browser; their challenge belongs to this session for five minutes, replacing an earlier one. Throws
   * `password_confirmation_required`, and `conflict` for the 21st passkey or at an address where passkeys cannot work.
   */
  async function begin({ userId, session }: Omit<PasskeyContext, 'origin'>, requestOrigin: string) {
    assertRecentPassword(session, clock)
    assertIsReachedAs(relyingParty, requestOrigin)
    await passkeys.assertRoom(userId)
    const owned = await passkeys.list(userId)
    const user = await users.get(userId)
    const displayName = `${user.firstName} ${user.lastName}`.trim() || user.username
    const options = await createRegistrationOptions(relyingParty, { ...user, displayName, passkeys: owned })
    const expiresAt = new Date(clock.now() + ceremonyTimeoutMs)
    await challenges.store(challengeKey({ session }), options.challenge, expiresAt)
    return options
  }

  /** Stores the passkey that the browser created; other sessions end. Throws `invalid_input`, and `conflict` like `begin`. */
  async function add(
    context: PasskeyContext,
    { name, response }: { name: string; response: unknown },
  ): Promise<PasskeyRecord> {
    const { userId, session, origin } = context
    const challenge = await challenges.consume(challengeKey(context), new Date(clock.now()))
    if (challenge === undefined) throw invalidInput(['Adding the passkey took too long. Please try again.'])
    const verified = await verifyRegistration(response, { relyingParty, challenge })
    if (!verified) {
      throw invalidInput([
        `The passkey could not be checked. Please try again at ${relyingParty.origin}, or with another device.`,
      ])
    }
    const createdAt = new Date(clock.now())
    const added = await passkeys.insert({ ...verified, ownerId: userId, name, createdAt })
    if (!added) throw new AppError('conflict', 'This passkey is already in use. Please choose another device.')
    const user = await users.findById(userId)
    if (!user?.isActive) {
      // The account was deactivated or deleted in the meantime.
      await passkeys.remove(added)
      throw new AppError('session_expired', 'Token has expired')
    }
    await updateOwner(userId)
    await twoFactorChange.announce(user, 'passkey_added', { origin, keepSessionId: session.id, details: name })
    return added
  }

  /** Throws `not_found`. */
  async function rename({ userId, origin }: PasskeyContext, id: string, name: string): Promise<PasskeyRecord> {
    const renamed = await passkeys.rename({ id, ownerId: userId }, name)
    if (!renamed) throw notFoundError()
    const { email } = await users.get(userId)
    const actor = { id: userId, email }
    await audit.record({ action: 'passkey.rename', outcome: 'success', actor, details: name }, origin)
    return renamed
  }

  /** Removes a passkey; other sessions end. Throws `password_confirmation_required` or `not_found`. */
  async function remove({ userId, session, origin }: PasskeyContext, id: string): Promise<void> {
    assertRecentPassword(session, clock)
    const removed = await passkeys.remove({ id, ownerId: userId })
    if (!removed) throw notFoundError()
    await updateOwner(userId)
    const announced = { origin, keepSessionId: session.id, details: removed.name }
    await twoFactorChange.announce(await users.get(userId), 'passkey_removed', announced)
  }

  /** Removes all passkeys of a user whose account is deleted, or whose second factor is reset by an administrator. */
  async function removeAll(userId: string): Promise<void> {
    await passkeys.removeByOwner(userId)
    await updateOwner(userId)
  }

  return { list: passkeys.list, begin, add, rename, remove, removeAll }
}

export type Passkeys = ReturnType<typeof createPasskeys>

function notFoundError(): AppError {
  return new AppError('not_found', 'Passkey not found')
}
