import { AppError } from '#contract/app-error.ts'
import type { FormerFactor, KeptAddress, LibraryClosure } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { PasskeyRepository } from '#data/passkeys/passkeys.ts'
import type { LibraryClosureRepository } from '#data/users/library-closures.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  libraryClosedMail,
  libraryClosedNotice,
  libraryOpenedMail,
  libraryOpenedNotice,
} from '../mail/templates/library-mails.ts'
import type { MailTemplate } from '../mail/templates/layout.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'

/** Maximum number of people who are notified of a closed library. */
const maxTold = 50

type LibraryClosureRecord = NonNullable<UserRecord['libraryClosure']>

interface ClosedLibrariesDeps {
  closures: LibraryClosureRepository
  passkeys: Pick<PasskeyRepository, 'list'>
  users: Pick<Users, 'list'>
  sessions: Pick<Sessions, 'endAll'>
  /** Voids the reset and verification links of a user. */
  voidLinks: (userId: string) => Promise<void>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

interface CloseOptions {
  reason: LibraryClosure['reason']
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
  /** The new address, if that is what was reset. */
  email?: string
}

interface OpenOptions {
  /** What proved the owner; missing if a super admin decided. */
  proof?: FormerFactor | 'provider'
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
  /** The address that the account keeps if the reset gave it another one. */
  address: KeptAddress
  /** The owner's session, which continues; all others end. */
  keepSessionId?: string
}

/**
 * Closes the library of an account that an administrator resets, and opens it for its owner: docs/decisions/step-up-for-administration.md.
 * The account itself stays usable; `enforceOpenLibrary` refuses everything else.
 */
export function createClosedLibraries(deps: ClosedLibrariesDeps) {
  const { closures, audit, clock } = deps

  /**
   * Performs a reset that closes the library: `write` does both in one write, so that nobody can open the library in between. `user` is the
   * user before that write. A library that is already closed keeps the factors from before the first reset, because someone who has taken
   * over the account since knows the present ones.
   */
  async function close(
    user: UserRecord,
    options: CloseOptions,
    write: (closure: LibraryClosureRecord) => Promise<unknown>,
  ): Promise<void> {
    const closure = await prepare(user, options.reason)
    await write(closure)
    if (!user.libraryClosure) await announceClosed(user, options)
  }

  /** Returns the closure for a reset that writes it together with its own change. `announceClosed` must follow if the library was open. */
  async function prepare(user: UserRecord, reason: LibraryClosure['reason']): Promise<LibraryClosureRecord> {
    const passkeys = (await deps.passkeys.list(user.id)).map(({ credentialId, publicKey }) => ({
      credentialId,
      publicKey,
    }))
    const { email, isVerified, twoFactor } = user
    const former = { email, isVerified, passwordHash: ownPasswordHash(user), twoFactor, passkeys }
    return { closedAt: new Date(clock.now()), reason, former }
  }

  /** Audits that the library was closed, and notifies the owner and the super admins. */
  async function announceClosed(user: UserRecord, { reason, actor, origin, email }: CloseOptions): Promise<void> {
    const entry = { action: 'library.close', outcome: 'success' as const, actor, target: user.email }
    await audit.record({ ...entry, details: reason }, origin)
    notify(user, libraryClosedMail(user, { reason, email }))
    await notifySuperAdmins((admin) => libraryClosedNotice(admin, { owner: user.email, reason, actor: actor.email }))
  }

  /**
   * Opens the library; other sessions end first, no matter who holds them. If the account gets its former address back, the reset and
   * verification links sent to the other address become void: someone who reads the mail there could take the account over again. Throws
   * `conflict` if the library is open, or if another account has the former address.
   */
  async function open(user: UserRecord, options: OpenOptions): Promise<void> {
    if (!(await openIfClosed(user, options))) throw alreadyOpenError()
  }

  /** Opens the library as `open` does. Returns false if another session of the owner, or a super admin, has already opened it. */
  async function openIfClosed(user: UserRecord, options: OpenOptions): Promise<boolean> {
    const { proof, actor, origin, keepSessionId, address } = options
    if (!user.libraryClosure) return false
    const { email, isVerified = false } = user.libraryClosure.former
    const isOther = email !== user.email
    const restored = isOther && address === 'former' ? { email, isVerified } : undefined
    await deps.sessions.endAll(user.id, keepSessionId)
    if (restored) await deps.voidLinks(user.id)
    const isOpened = await closures.open(user, restored).catch((error: unknown) => {
      throw isDuplicateKey(error, 'email') ? formerAddressTakenError() : error
    })
    if (!isOpened) return false
    // Void again: a link may have been requested before the write.
    if (restored) await deps.voidLinks(user.id)
    const entry = { action: 'library.open', outcome: 'success' as const, actor, target: user.email }
    const details = [proof ?? 'by a super admin', ...(restored ? [`email back to ${email}`] : [])].join(', ')
    await audit.record({ ...entry, details }, origin)
    const facts = { byAdmin: proof === undefined, email: restored?.email ?? user.email }
    for (const to of isOther ? [user.email, email] : [email])
      notify({ ...user, email: to }, libraryOpenedMail(user, facts))
    const notice = { owner: user.email, actor: actor.email, proof, restoredEmail: restored?.email }
    await notifySuperAdmins((admin) => libraryOpenedNotice(admin, notice))
    return true
  }

  function notify(user: Pick<UserRecord, 'id' | 'email'>, mail: MailTemplate): void {
    deps.mailer.enqueue(async () => createNotice(mail, user, clock))
  }

  async function notifySuperAdmins(render: (admin: UserRecord) => MailTemplate): Promise<void> {
    const { rows } = await deps.users.list({ search: '', role: 'super_admin' }, { page: 1, per_page: maxTold })
    for (const admin of rows) if (admin.isActive) notify(admin, render(admin))
  }

  return { close, prepare, announceClosed, open, openIfClosed }
}

export type ClosedLibraries = ReturnType<typeof createClosedLibraries>

/** Returns the hash of a password that the owner chose; any other password is known to the person who chose it. */
function ownPasswordHash(user: UserRecord): string | null {
  const isChosenByOthers = user.mustChangePassword || user.passwordExpiresAt instanceof Date
  return user.hasPassword === false || isChosenByOthers ? null : user.passwordHash
}

function formerAddressTakenError(): AppError {
  return new AppError('conflict', 'Another account has the former address. Please keep the present one.')
}

export function alreadyOpenError(): AppError {
  return new AppError('conflict', 'This library is open')
}
