import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'

interface ProvenSignInDeps {
  users: Pick<Users, 'findById' | 'update'>
  sessions: Pick<Sessions, 'start' | 'end'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

type StartOptions = Parameters<Sessions['start']>[0]

interface ProvenSignInOptions extends Omit<StartOptions, 'userId'> {
  origin: RequestOrigin
  /** How the user was proven, for the audit trail: `passkey`, or the name of a provider. */
  method: string
}

/**
 * Starts the session of a user whose identity a passkey or a provider has proven, including the second factor if one is required. Throws
 * `account_deactivated`.
 */
export function createProvenSignIn({ users, sessions, audit, clock }: ProvenSignInDeps) {
  return async function signInProven(
    user: UserRecord,
    { method, ...options }: ProvenSignInOptions,
  ): Promise<{ user: UserRecord; session: StartedSession }> {
    const { origin } = options
    const entry = { action: 'auth.signin', actor: user }
    const session = await sessions.start({ ...options, userId: user.id })
    // Deactivation is written before it ends the sessions, so a sign-in in progress is caught either by that or by this check.
    if (!(await users.findById(user.id))?.isActive) {
      await sessions.end(user.id, session.sessionId)
      await audit.record({ ...entry, outcome: 'denied', details: 'deactivated' }, origin)
      throw new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
    }
    const changed = await users.update(user.id, { lastLoginAt: new Date(clock.now()) })
    await audit.record({ ...entry, outcome: 'success', details: method }, origin)
    return { user: changed, session }
  }
}

export type ProvenSignIn = ReturnType<typeof createProvenSignIn>
