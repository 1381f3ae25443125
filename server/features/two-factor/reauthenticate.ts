import { AppError } from '#contract/app-error.ts'
import { authenticatorCodeShape, printedCodeShape } from '#contract/second-factor.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { readCodeHeader } from '#server/http/code-header.ts'
import type { AppContext, AuthSession, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Lockouts } from '#server/security/lockouts.ts'
import type { PasswordHasher } from '#server/security/password-hasher.ts'
import type { Audit } from '../audit/service.ts'
import type { Users } from '../users/service.ts'
import { hasPrintedCodes, type TwoFactorService } from './service.ts'

interface ReauthenticateDeps {
  hasher: Pick<PasswordHasher, 'runInTurn'>
  lockouts: Pick<Lockouts, 'begin'>
  twoFactor: Pick<TwoFactorService, 'consumeOwnCode'>
  audit: Pick<Audit, 'record'>
  users: Pick<Users, 'get'>
}

/** The user who must prove their identity again, and in which session. */
export interface ReauthenticationRequest {
  user: UserRecord
  session: Pick<AuthSession, 'id'>
  origin: RequestOrigin
}

const wrongCodeMessage = 'Invalid verification code. Please try again.'
const noPasswordMessage = 'Your account signs in through your organisation and has no password here.'
const noPasswordHelp = 'To confirm that it is you, sign out and sign in again through your organisation.'

/** Throws `invalid_input` for text that cannot be a code of the user's second factor, enabled or pending. */
export function assertCodeShape(user: UserRecord, code: string): void {
  if (hasPrintedCodes(user)) {
    if (!printedCodeShape.test(code)) throw invalidInput(['Please enter an 8-character code from your printed list'])
  } else if (!authenticatorCodeShape.test(code)) throw invalidInput(['Please enter a 6-digit verification code'])
}

/**
 * Asks a signed-in user for the password or a code again. Failures lock as they do at sign-in, but only within the session: a stolen
 * session cannot be used for guessing, and strangers' wrong passwords do not affect an open session. They are answered with 400, never 401:
 * the client would refresh, retry and sign out.
 */
export function createReauthenticate({ hasher, lockouts, twoFactor, audit, users }: ReauthenticateDeps) {
  /** Counts a failed check as an attempt of this session. Throws `account_locked`. */
  async function checkCounted(
    { user, session, origin }: ReauthenticationRequest,
    action: string,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const attempt = await lockouts.begin(user.email, { session: session.id })
    const isRight = await check()
    if (isRight) await attempt.withdraw()
    else await audit.record({ action, outcome: 'failure', actor: user }, origin)
    return isRight
  }

  /** Throws `wrong_password` or `account_locked`, and `conflict` for people who sign in only through a provider. */
  async function byPassword(request: ReauthenticationRequest, password: string): Promise<void> {
    const { user, origin } = request
    if (user.hasPassword === false) throw new AppError('conflict', noPasswordMessage, { help: noPasswordHelp })
    const requester = { address: origin.ip, account: user.id }
    const isRight = await hasher.runInTurn(requester, (direct) =>
      checkCounted(request, 'profile.password_check', () => direct.verify(password, user.passwordHash)),
    )
    if (!isRight) throw new AppError('wrong_password', 'Current password is incorrect')
  }

  /** Checks a code from the authenticator or printed list; `consume` uses up a right one. Throws `wrong_code` or `account_locked`. */
  async function byCode(
    request: ReauthenticationRequest,
    code: string,
    consume: () => Promise<boolean> = () => twoFactor.consumeOwnCode(request.user, code, request.origin.ip),
  ): Promise<void> {
    assertCodeShape(request.user, code)
    const isRight = await checkCounted(request, 'profile.code_check', consume)
    if (!isRight) throw new AppError('wrong_code', wrongCodeMessage)
  }

  /** Checks the code in a request's header, as `byCode` does. Throws `invalid_input` if there is none. */
  async function byHeader(request: ReauthenticationRequest, ctx: Pick<AppContext, 'get'>): Promise<void> {
    const code = readCodeHeader(ctx)
    if (code === '' && !hasPrintedCodes(request.user)) throw invalidInput(['Please enter your authenticator code'])
    await byCode(request, code)
  }

  /** Confirms a user's request with a code, as `byCode` does. Returns false, regardless of the code, if the user has no authenticator. */
  async function confirmByCode(
    { user, ...request }: Omit<ReauthenticationRequest, 'user'> & { user: Pick<UserRecord, 'id'> },
    code: string,
  ): Promise<boolean> {
    const found = await users.get(user.id)
    if (!found.twoFactor) return false
    await byCode({ user: found, ...request }, code)
    return true
  }

  return { byPassword, byCode, byHeader, confirmByCode }
}

export type Reauthenticate = ReturnType<typeof createReauthenticate>
