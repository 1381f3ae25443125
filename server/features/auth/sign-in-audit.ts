import { AppError } from '#contract/app-error.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'

type SignInFailure = 'wrong_password' | 'wrong_code' | 'changed_meanwhile'
/** The account, or the e-mail address that was tried where there is none. */
export type SignInActor = UserRecord | { email: string }

/** Writes sign-ins to the audit trail. */
export function createSignInAudit(audit: Pick<Audit, 'record'>) {
  async function record(
    actor: SignInActor,
    outcome: 'success' | 'failure' | 'denied',
    details: string,
    origin: RequestOrigin,
  ): Promise<void> {
    await audit.record({ action: 'auth.signin', outcome, actor, details }, origin)
  }

  /** Records a failure and throws `sign_in_failed`, the same for an unknown e-mail, a wrong password and a wrong code. */
  async function fail(actor: SignInActor, reason: SignInFailure, origin: RequestOrigin): Promise<never> {
    await record(actor, 'failure', reason, origin)
    throw new AppError('sign_in_failed', 'Invalid email or password')
  }

  return { record, fail }
}
