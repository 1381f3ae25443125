import { AppError } from '#contract/app-error.ts'
import type { CaseColour } from '#contract/cases.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { insertRecordingEvents } from '#data/audit/recording-events.ts'
import type { CaseRecord } from '#data/cases/case-record.ts'
import { addRecordingsToCase, findCaseRecording, removeRecordingFromCase } from '#data/cases/case-recordings.ts'
import { findCase, insertCase, removeCase, updateCase } from '#data/cases/cases.ts'
import { caseHeldError } from '#data/holds/held.ts'
import { findSelected } from '#data/library/find-entries.ts'
import { listUploadTimes } from '#data/recordings/recordings.ts'
import {
  assertCanEditCase,
  assertCanManageCase,
  assertConfirmedForOthers,
  caseNotFound,
  isAdmin,
  requireCase,
  type CaseActor,
} from './policy.ts'
import { createCaseMembers, type MembersDeps } from './members.ts'

export type CaseService = ReturnType<typeof createCases>

interface CaseChanges {
  name?: string | undefined
  colour?: CaseColour | undefined
  notes?: string | undefined
}

/** Creates the service for cases: who may do what with them (docs/decisions/cases.md), and the audit trail. */
export function createCases(deps: MembersDeps) {
  const { connection, audit, clock } = deps

  async function record({ user, origin }: CaseActor, action: string, target: string, details = ''): Promise<void> {
    await audit.record({ action: `case.${action}`, outcome: 'success', actor: user, target, details }, origin)
  }

  /** Records on each recording what is done with it in a case, so that its owner can see it. */
  async function recordRecordings(
    by: CaseActor,
    action: 'recording_add' | 'recording_remove',
    { id, ownerId, recordingIds }: { id: string; ownerId: string; recordingIds: string[] },
  ): Promise<void> {
    const recordings = await listUploadTimes(connection, ownerId, recordingIds)
    const deed = { action: `case.${action}`, by, details: `case ${id}`, at: new Date(clock.now()) }
    await insertRecordingEvents(connection, recordings, deed)
  }

  /** Throws `conflict` if the user already owns the maximum number of cases. */
  async function create(
    actor: CaseActor,
    fields: { name: string; colour: CaseColour; notes: string },
  ): Promise<CaseRecord> {
    const ownerId = actor.user.id
    const created = await insertCase(connection, { ownerId, ...fields })
    await record(actor, 'create', created.id)
    return created
  }

  /** Notes can be changed by members with `edit`, everything else only by the owner. Throws `not_found` and `forbidden`. */
  async function update(actor: CaseActor, id: string, changes: CaseChanges): Promise<CaseRecord> {
    const opened = await requireCase(connection, actor.user, id)
    assertCanEditCase(opened)
    const isDescribed = changes.name !== undefined || changes.colour !== undefined
    if (isDescribed && opened.role !== 'owner')
      throw new AppError('forbidden', 'Only the owner of a case changes its name and colour')
    const changed = await updateCase(connection, id, changes)
    if (!changed) throw caseNotFound()
    await record(actor, 'update', id, Object.keys(changes).join(', '))
    return changed
  }

  /** Throws `not_found`, `forbidden` and `on_hold`, and `password_confirmation_required` like `createCaseMembers`. */
  async function remove(actor: CaseActor, id: string): Promise<void> {
    const opened = await requireCase(connection, actor.user, id)
    assertCanManageCase(actor.user, opened)
    assertConfirmedForOthers(actor.session, opened, clock)
    if (!(await removeCase(connection, id))) throw (await findCase(connection, id)) ? caseHeldError() : caseNotFound()
    await record(actor, 'delete', id)
  }

  /**
   * Adds the user's own recordings and returns the ids of those that are new to the case. Throws `not_found` if the user owns none of the
   * selected recordings, `conflict` if the case would have too many.
   */
  async function addRecordings(actor: CaseActor, id: string, selection: LibrarySelection): Promise<string[]> {
    assertCanEditCase(await requireCase(connection, actor.user, id))
    const ownerId = actor.user.id
    const recordingIds = await findSelected(connection, ownerId, selection)
    if (recordingIds.length === 0) throw new AppError('not_found', 'None of these recordings is yours')
    const added = await addRecordingsToCase(connection, { caseId: id, ownerId, recordingIds })
    if (added.length > 0) await record(actor, 'recordings_add', id, `${added.length}`)
    await recordRecordings(actor, 'recording_add', { id, ownerId, recordingIds: added })
    return added
  }

  /**
   * Throws `not_found` if the case has no such recording, `on_hold` if the case is on hold, `forbidden` for a member who neither owns the
   * recording nor manages the case, and `password_confirmation_required` as in `remove`.
   */
  async function removeRecording(actor: CaseActor, id: string, recordingId: string): Promise<void> {
    const { role, record: known } = await requireCase(connection, actor.user, id)
    const found = await findCaseRecording(connection, id, recordingId)
    if (!found) throw new AppError('not_found', 'This case has no such recording')
    if (found.ownerId !== actor.user.id && role !== 'owner' && !isAdmin(actor.user))
      throw new AppError('forbidden', 'Only the owner of a recording or of the case takes it out')
    if (found.ownerId !== actor.user.id) assertConfirmedForOthers(actor.session, { role }, clock)
    if (known.hold) throw caseHeldError()
    await removeRecordingFromCase(connection, id, recordingId)
    await recordRecordings(actor, 'recording_remove', { id, ownerId: found.ownerId, recordingIds: [recordingId] })
  }

  return { create, update, remove, addRecordings, removeRecording, members: createCaseMembers(deps) }
}
