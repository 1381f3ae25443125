import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'

type SignInFailure = 'wrong_password' | 'wrong_code' | 'changed_meanwhile'

/** What sign-in leaves in the audit trail. */
export function createSignInRecord(audit: Audit) {
  async function note(
    who: UserDoc | { email: string },
    outcome: 'success' | 'failure' | 'denied',
    details: string,
    origin: RequestOrigin,
  ): Promise<void> {
    const actor = '_id' in who ? { id: who._id.toHexString(), email: who.email } : { email: who.email }
    await audit.record({ action: 'auth.signin', outcome, actor, details }, origin)
  }

  /**
   * Notes a failure and throws. The answer is the same for an unknown e-mail, a wrong password and a wrong code.
   * @throws AppError `sign_in_failed`
   */
  async function fail(who: UserDoc | { email: string }, reason: SignInFailure, origin: RequestOrigin): Promise<never> {
    await note(who, 'failure', reason, origin)
    throw new AppError('sign_in_failed', 'Invalid email or password')
  }

  return { note, fail }
}
