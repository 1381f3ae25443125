import { AppError } from '#contract/app-error.ts'
import type { FormerFactor, LibraryClosure } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import type { PasskeyRepository } from '#data/passkeys/passkeys.ts'
import type { LibraryClosureRepository } from '#data/users/library-closures.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { libraryClosedMail, libraryClosedNotice, libraryOpenedMail } from '../mail/templates/library-mails.ts'
import type { RenderedMail } from '../mail/templates/layout.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'

/** Who is told of a closed library, at most. */
const maxTold = 50

type LibraryClosureRecord = NonNullable<UserRecord['libraryClosure']>

interface ClosedLibrariesDeps {
  closures: LibraryClosureRepository
  passkeys: Pick<PasskeyRepository, 'list'>
  users: Pick<Users, 'list'>
  sessions: Pick<Sessions, 'endAll'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

interface CloseOptions {
  reason: LibraryClosure['reason']
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
}

interface OpenOptions {
  /** By what its owner was proven; missing: a super admin decided. */
  proof?: FormerFactor | 'provider'
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
  /** The session of the owner, which continues; all others end. */
  keepSessionId?: string
}

/**
 * Closes the library of an account that an administrator resets, and opens it for its owner: docs/decisions/step-up-for-administration.md.
 * The account itself stays usable; `enforceOpenLibrary` refuses everything else.
 */
export function createClosedLibraries(deps: ClosedLibrariesDeps) {
  const { closures, audit, clock } = deps

  /**
   * Closes the library before the reset is written. `user` is as it was before. A library that is closed keeps the factors of before the
   * first reset: whoever took the account over since knows the present ones.
   */
  async function close(user: UserRecord, options: CloseOptions): Promise<void> {
    if (await closures.close(user.id, await prepare(user, options.reason))) await announceClosed(user, options)
  }

  /** Returns what closes the library, for a reset that is itself the write that does. `announceClosed` follows where it was open. */
  async function prepare(user: UserRecord, reason: LibraryClosure['reason']): Promise<LibraryClosureRecord> {
    const passkeys = (await deps.passkeys.list(user.id)).map(({ credentialId, publicKey }) => ({
      credentialId,
      publicKey,
    }))
    const former = { email: user.email, passwordHash: ownPasswordHash(user), twoFactor: user.twoFactor, passkeys }
    return { closedAt: new Date(clock.now()), reason, former }
  }

  /** Audits that the library was closed, and tells its owner and the super admins. */
  async function announceClosed(user: UserRecord, { reason, actor, origin }: CloseOptions): Promise<void> {
    const entry = { action: 'library.close', outcome: 'success' as const, actor, target: user.email }
    await audit.record({ ...entry, details: reason }, origin)
    notify(user, libraryClosedMail(user, reason))
    await notifySuperAdmins(user, { reason, actor: actor.email })
  }

  /** Opens the library; other sessions end first, whoever holds them. Throws `conflict` where it is open. */
  async function open(user: UserRecord, { proof, actor, origin, keepSessionId }: OpenOptions): Promise<void> {
    if (!user.libraryClosure) throw alreadyOpenError()
    await deps.sessions.endAll(user.id, keepSessionId)
    if (!(await closures.open(user.id))) throw alreadyOpenError()
    const entry = { action: 'library.open', outcome: 'success' as const, actor, target: user.email }
    await audit.record({ ...entry, details: proof ?? 'by a super admin' }, origin)
    notify(user, libraryOpenedMail(user, { byAdmin: proof === undefined }))
  }

  function notify(user: Pick<UserRecord, 'id' | 'email'>, mail: RenderedMail): void {
    deps.mailer.enqueue(async () => createNotice(mail, user, clock))
  }

  async function notifySuperAdmins(
    { email: owner }: UserRecord,
    facts: { reason: LibraryClosure['reason']; actor: string },
  ): Promise<void> {
    const { rows } = await deps.users.list({ search: '', role: 'super_admin' }, { page: 1, per_page: maxTold })
    for (const admin of rows) if (admin.isActive) notify(admin, libraryClosedNotice(admin, { owner, ...facts }))
  }

  return { close, prepare, announceClosed, open }
}

export type ClosedLibraries = ReturnType<typeof createClosedLibraries>

/** Returns the hash of a password that the owner chose; whoever chose another one knows it. */
function ownPasswordHash(user: UserRecord): string | null {
  const isChosenByOthers = user.mustChangePassword || user.passwordExpiresAt instanceof Date
  return user.hasPassword === false || isChosenByOthers ? null : user.passwordHash
}

export function alreadyOpenError(): AppError {
  return new AppError('conflict', 'This library is open')
}
