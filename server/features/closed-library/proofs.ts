import { AppError } from '#contract/app-error.ts'
import type { FormerFactor, KeptAddress } from '#contract/entities/user.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AuthSession, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { PasswordHasher } from '#server/security/password-hasher.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import { isSameFactor } from '../two-factor/same-factor.ts'
import type { TwoFactorService } from '../two-factor/service.ts'
import { alreadyOpenError, type ClosedLibraries } from './service.ts'

/** Counted per account, not per session: someone who took it over can start any number of sessions. */
const maxTriesPerDay = 10
const dayMs = 24 * 60 * 60_000
const enterPassword =
  'Please sign in with your present password first, or ask a super administrator to open your library.'

interface LibraryProofsDeps {
  closedLibraries: ClosedLibraries
  hasher: Pick<PasswordHasher, 'runInTurn'>
  twoFactor: Pick<TwoFactorService, 'isCodeOf'>
  limiter: Pick<RateLimiter, 'count'>
  audit: Pick<Audit, 'record'>
}

interface ProofContext {
  user: UserRecord
  session: Pick<AuthSession, 'id'>
  origin: RequestOrigin
}

type ProofSession = ProofContext & {
  session: Pick<AuthSession, 'hasEnteredPassword'>
  /** The address that the account keeps. */
  address: KeptAddress
}

interface EnteredProof {
  password?: string | undefined
  code?: string | undefined
}

/** Opens closed libraries for owners who prove what they had before the reset. */
export function createLibraryProofs(deps: LibraryProofsDeps) {
  const { closedLibraries, audit } = deps

  /**
   * Opens the library if `isRight` confirms a former factor. Works only in a session in which the present password was entered: in any
   * other session the owner may not know that somebody else set this password. Throws `conflict` in such a session or if the library is
   * open, `rate_limited` after ten tries in a day, and `wrong`.
   */
  async function proveBy(
    proof: FormerFactor,
    context: ProofSession,
    { isRight, wrong }: { isRight: () => Promise<boolean>; wrong: AppError },
  ): Promise<void> {
    const { user, session, origin, address } = context
    assertCanProve(context)
    await countTry(user)
    if (await isRight()) {
      return closedLibraries.open(user, { proof, actor: user, origin, keepSessionId: session.id, address })
    }
    await audit.record({ action: 'library.open', outcome: 'failure', actor: user, details: proof }, origin)
    throw wrong
  }

  /** Opens the library with a former password or code, as `proveBy` does. Throws `wrong_password` or `wrong_code`. */
  async function prove(context: ProofSession, { password, code }: EnteredProof): Promise<void> {
    const { user, origin } = context
    assertCanProve(context)
    if (password) {
      const wrong = new AppError('wrong_password', 'This is not your former password')
      return proveBy('password', context, { isRight: () => isFormerPassword(user, password, origin), wrong })
    }
    if (!code) throw invalidInput(['Please enter your former password or a former code'])
    const wrong = new AppError('wrong_code', 'This is not a code from before the reset')
    return proveBy('code', context, { isRight: () => isFormerCode(user, code, origin), wrong })
  }

  function countTry({ id }: UserRecord): Promise<void> {
    const message = 'Too many tries. Please ask a super administrator to open your library.'
    return deps.limiter.count({ name: 'library-proof', key: id, limit: maxTriesPerDay, windowMs: dayMs, message })
  }

  function isFormerPassword(user: UserRecord, password: string, { ip }: RequestOrigin): Promise<boolean> {
    const hash = user.libraryClosure?.former.passwordHash ?? undefined
    return deps.hasher.runInTurn({ address: ip, account: user.id }, (direct) => direct.verify(password, hash))
  }

  async function isFormerCode(user: UserRecord, code: string, { ip }: RequestOrigin): Promise<boolean> {
    const twoFactor = user.libraryClosure?.former.twoFactor
    return twoFactor ? deps.twoFactor.isCodeOf(user.id, twoFactor, code, ip) : false
  }

  /**
   * Opens the library if a sign-in with the present password, and code, has just shown a former factor that is still set, at the former
   * address. A password that was set again since may be a guess, making each such sign-in a try that `maxTriesPerDay` does not count.
   */
  async function recognizeSignIn(context: ProofContext): Promise<void> {
    const { email, passwordHash, twoFactor, libraryClosure } = context.user
    if (!libraryClosure || email !== libraryClosure.former.email) return
    const { former } = libraryClosure
    if (twoFactor && isSameFactor(twoFactor, former.twoFactor)) await open(context, 'code')
    else if (passwordHash === former.passwordHash) await open(context, 'password')
  }

  /**
   * Opens the library if the provider that the account was already linked to has just proven its owner, and nothing that somebody else may
   * know has been set since. No provider can be linked while the library is closed.
   */
  async function recognizeProvider(context: ProofContext): Promise<void> {
    const { email, passwordHash, twoFactor, libraryClosure, hasPassword } = context.user
    if (!libraryClosure) return
    const { former } = libraryClosure
    const isSamePassword = hasPassword === false || passwordHash === former.passwordHash
    const isSameCode = twoFactor === null || isSameFactor(twoFactor, former.twoFactor)
    if (email === former.email && isSamePassword && isSameCode) await open(context, 'provider')
  }

  async function open({ user, session, origin }: ProofContext, proof: FormerFactor | 'provider'): Promise<void> {
    // The account is at its former address, so there is nothing to restore.
    const options = { proof, actor: user, origin, keepSessionId: session.id, address: 'present' as const }
    await closedLibraries.openIfClosed(user, options)
  }

  return { prove, proveBy, recognizeSignIn, recognizeProvider }
}

export type LibraryProofs = ReturnType<typeof createLibraryProofs>

/** Throws `conflict` if the library is open, or in a session in which the present password was not entered. */
export function assertCanProve({ user, session }: Pick<ProofSession, 'user' | 'session'>): void {
  if (!user.libraryClosure) throw alreadyOpenError()
  if (!session.hasEnteredPassword)
    throw new AppError('conflict', enterPassword, {
      help: 'POST /api/auth/confirm-password with the present password does, too.',
    })
}
