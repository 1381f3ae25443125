import { AppError } from '#contract/app-error.ts'
import { insertRecordingEvents } from '#data/audit/recording-events.ts'
import type { CaseRecord } from '#data/cases/case-record.ts'
import type { Clock } from '#data/clock.ts'
import { liftCaseHold, setCaseHold } from '#data/holds/case-holds.ts'
import type { HoldRecord } from '#data/holds/held.ts'
import { findHoldable, liftRecordingHold, setRecordingHold } from '#data/holds/recording-holds.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { requireReadable } from '#data/recordings/access.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import { findPeople } from '#data/users/people.ts'
import type { AuthUser } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { CaseActor } from '../cases/policy.ts'
import { assertCanManageCase, isAdmin, requireCase, type OpenedCase } from '../cases/policy.ts'
import { canLiftHold } from '../cases/present-hold.ts'
import { assertRecentConfirmation } from '../sessions/recent-password.ts'

interface HoldsDeps {
  queue: Queue
  audit: Pick<Audit, 'record'>
  clock: Clock
}

export type HoldService = ReturnType<typeof createHolds>

/** Creates the service for legal holds of recordings and cases: who sets and lifts them (docs/retention.md), and the audit trail. */
export function createHolds({ queue, audit, clock }: HoldsDeps) {
  const { connection } = queue

  /** Throws `forbidden` for readers who do not own the recording, `not_found` for everybody else except admins. */
  async function requireHoldable(user: AuthUser, id: string): Promise<RecordingRecord> {
    const found = await findHoldable(queue, id)
    if (found && (found.ownerId === user.id || isAdmin(user))) return found
    await requireReadable(connection, user.id, id)
    throw new AppError('forbidden', 'Only the owner of a recording and admins put it on hold', {
      help: 'Ask one of them.',
    })
  }

  /** Throws `not_found`, `forbidden`, and `conflict` if an admin set the hold and the caller is not an admin. */
  async function set(actor: CaseActor, id: string, reason: string): Promise<RecordingRecord> {
    const { user } = actor
    await requireHoldable(user, id)
    const held = await setRecordingHold(queue, id, { reason, setBy: user.id, isByAdmin: isAdmin(user) })
    if (!held) throw (await findHoldable(queue, id)) ? setByAdmin() : recordingNotFound()
    await recordRecording(actor, 'set', { recording: held, reason })
    return held
  }

  /**
   * Throws like `set`, `conflict` if there is no such hold, and `password_confirmation_required` for admins who do not own the recording.
   */
  async function lift(actor: CaseActor, id: string, reason: string): Promise<RecordingRecord> {
    const { hold, ownerId } = await requireHoldable(actor.user, id)
    assertLiftable(actor, hold, { isOwner: ownerId === actor.user.id })
    const lifted = await liftRecordingHold(queue, id, hold.id)
    if (!lifted) throw notHeldError()
    await recordRecording(actor, 'lift', { recording: lifted, reason })
    return lifted
  }

  async function requireManaged({ user }: CaseActor, id: string): Promise<OpenedCase> {
    const opened = await requireCase(connection, user, id)
    assertCanManageCase(user, opened)
    return opened
  }

  /** Throws like `set`. */
  async function setOfCase(actor: CaseActor, id: string, reason: string): Promise<CaseRecord> {
    await requireManaged(actor, id)
    const { user } = actor
    const held = await setCaseHold(queue, id, { reason, setBy: user.id, isByAdmin: isAdmin(user) })
    if (!held) {
      // The case may have been deleted in the meantime.
      await requireManaged(actor, id)
      throw setByAdmin()
    }
    await recordCase(actor, 'set', { held, reason })
    return held
  }

  /** Throws like `lift`. */
  async function liftOfCase(actor: CaseActor, id: string, reason: string): Promise<CaseRecord> {
    const { record, role } = await requireManaged(actor, id)
    const { hold } = record
    assertLiftable(actor, hold, { isOwner: role === 'owner' })
    const lifted = await liftCaseHold(queue, id, hold.id)
    if (!lifted) throw notHeldError()
    await recordCase(actor, 'lift', { held: lifted, reason })
    return lifted
  }

  function assertLiftable(
    { user, session }: CaseActor,
    hold: HoldRecord | undefined,
    { isOwner }: { isOwner: boolean },
  ): asserts hold is HoldRecord {
    if (!hold) throw notHeldError()
    if (!canLiftHold(hold, { isOwner, isAdmin: isAdmin(user) })) throw setByAdmin()
    if (!isOwner) assertRecentConfirmation(session, clock)
  }

  async function recordRecording(
    by: CaseActor,
    action: 'set' | 'lift',
    { recording, reason }: { recording: RecordingRecord; reason: string },
  ): Promise<void> {
    const deed = { action: `hold.${action}`, by, details: reason, at: new Date(clock.now()) }
    await insertRecordingEvents(connection, [recording], deed)
  }

  async function recordCase(
    { user, origin }: CaseActor,
    action: 'set' | 'lift',
    { held, reason }: { held: CaseRecord; reason: string },
  ): Promise<void> {
    const target = `case "${held.name}" of ${await emailOf(held.ownerId)}`
    const details = `${reason} (case ${held.id})`
    await audit.record({ action: `hold.${action}`, outcome: 'success', actor: user, target, details }, origin)
  }

  async function emailOf(userId: string): Promise<string> {
    return (await findPeople(connection, [userId])).get(userId)?.email ?? `user ${userId}`
  }

  return { set, lift, setOfCase, liftOfCase }
}

function setByAdmin(): AppError {
  return new AppError('conflict', 'An admin set this hold, and only admins change or lift it', {
    help: 'Ask an admin.',
  })
}

function notHeldError(): AppError {
  return new AppError('conflict', 'This is not on hold any more', { help: 'Load the page again.' })
}
