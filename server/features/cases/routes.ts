import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import {
  type CaseRecordingRecord,
  countCaseRecordings,
  listCasesOfRecordings,
  pageCaseRecordings,
  listCaseRecordings,
} from '#data/cases/case-recordings.ts'
import { type CaseRecord, roleIn } from '#data/cases/case-record.ts'
import { listCases } from '#data/cases/cases.ts'
import { listCoMemberIds } from '#data/cases/members.ts'
import type { Clock } from '#data/clock.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { AppRouter, AuthUser } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { CaseRecording } from '#contract/cases.ts'
import { noProgress, type ReviewProgress } from '#contract/review-state.ts'
import { findRecordingsOfOwners, findDurations } from '#data/recordings/access.ts'
import { findProgress } from '#data/review-progress.ts'
import { findPeople } from '#data/users/people.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { inChunks } from '#data/library/in-chunks.ts'
import type { RecordingAccessGuard } from '../recordings/recording-access.ts'
import { presentRecordings } from '../recordings/present.ts'
import { assertIsMember, isAdmin, type OpenedCase, requireCase } from './policy.ts'
import { presentCaseDetails, presentCases, presentOwner } from './present.ts'
import type { CaseService } from './service.ts'

/** Presents the recordings of a case to one of its members, in their order, without those that were deleted or whose owner has left. */
async function presentCaseRecordings(
  queue: Queue,
  { record, role, userId }: OpenedCase & { userId: string },
  rows: CaseRecordingRecord[],
): Promise<z.input<typeof CaseRecording>[]> {
  const valid = rows.filter(({ ownerId }) => roleIn(record, ownerId) !== null)
  const [found, people, progress] = await Promise.all([
    findRecordingsOfOwners(queue.connection, valid),
    findPeople(
      queue.connection,
      valid.map(({ ownerId }) => ownerId),
    ),
    findProgress(
      queue.connection,
      userId,
      valid.map(({ recordingId }) => recordingId),
    ),
  ])
  const byOwner = Map.groupBy(found.values(), ({ ownerId }) => ownerId)
  const presented = await Promise.all([...byOwner.values()].map((own) => presentRecordings(queue, own)))
  const shown = new Map(presented.flat().map((recording) => [recording.id, recording]))
  const access = role === 'view' ? 'view' : 'edit'
  return valid.flatMap(({ recordingId, ownerId, addedAt }) => {
    const recording = shown.get(recordingId)
    if (!recording) return []
    return [
      {
        recording,
        owner: presentOwner(ownerId, people),
        access: ownerId === userId ? ('owner' as const) : access,
        added_at: addedAt.toISOString(),
        progress: progress.get(recordingId) ?? noProgress,
      },
    ]
  })
}

interface CasesDeps {
  cases: CaseService
  queue: Queue
  recordingAccess: RecordingAccessGuard
  clock: Clock
}

/** Mounts /api/cases with everything below it, and GET /api/recordings/{id}/cases. */
export function mountCases(router: AppRouter, { cases, queue, recordingAccess, clock }: CasesDeps): void {
  const { connection } = queue
  const present = (user: AuthUser, record: CaseRecord) => presentCaseDetails({ connection, clock }, user, record)

  route(router, api.cases.list, async ({ query, user }) => {
    const { scope, search, can_add: canAdd, page, per_page: perPage } = query
    if (scope === 'all' && !isAdmin(user)) throw new AppError('forbidden', 'Only admins see the cases of everybody')
    const memberId = scope === 'all' ? null : user.id
    const { cases: records, total } = await listCases(connection, { memberId, search, canAdd, page, perPage })
    return { cases: await presentCases(connection, user.id, records), ...presentPage(query, total) }
  })

  route(router, api.cases.create, async ({ body, ...actor }) => {
    return present(actor.user, await cases.create(actor, body))
  })

  route(router, api.cases.get, async ({ params, user }) => {
    return present(user, (await requireCase(connection, user, params.id)).record)
  })

  route(router, api.cases.update, async ({ params, body, ...actor }) => {
    return present(actor.user, await cases.update(actor, params.id, body))
  })

  route(router, api.cases.remove, async ({ params, ...actor }) => {
    await cases.remove(actor, params.id)
    return { message: 'Case deleted' }
  })

  route(router, api.cases.setMember, async ({ params, body, ...actor }) => {
    return present(actor.user, await cases.members.set(actor, params.id, body))
  })

  route(router, api.cases.removeMember, async ({ params, ...actor }) => {
    return present(actor.user, await cases.members.remove(actor, params.id, params.user_id))
  })

  route(router, api.cases.leave, async ({ params, ...actor }) => {
    await cases.members.leave(actor, params.id)
    return { message: 'You have left the case' }
  })

  route(router, api.cases.listRecordings, async ({ params, query, user }) => {
    const opened = await requireCase(connection, user, params.id)
    assertIsMember(opened)
    const [rows, counts] = await Promise.all([
      pageCaseRecordings(connection, params.id, { page: query.page, perPage: query.per_page }),
      countCaseRecordings(connection, [params.id]),
    ])
    const recordings = await presentCaseRecordings(queue, { ...opened, userId: user.id }, rows)
    return { recordings, ...presentPage(query, counts.get(params.id) ?? 0) }
  })

  route(router, api.cases.progress, async ({ params, user }) => {
    assertIsMember(await requireCase(connection, user, params.id))
    return readCaseProgress(connection, user.id, params.id)
  })

  route(router, api.cases.addRecordings, async ({ params, body, ...actor }) => {
    const ids = await cases.addRecordings(actor, params.id, body.selection)
    return { added: ids.length, ids }
  })

  route(router, api.cases.removeRecording, async ({ params, ...actor }) => {
    await cases.removeRecording(actor, params.id, params.recording_id)
    return { message: 'Recording taken out of the case' }
  })

  route(router, api.cases.people, async ({ user }) => {
    const ids = (await listCoMemberIds(connection, user.id)).filter((id) => id !== user.id)
    const people = [...(await findPeople(connection, ids)).values()].filter(({ isActive }) => isActive)
    return {
      people: people
        .map(({ id, name, email }) => ({ id, name, email }))
        .toSorted((a, b) => a.name.localeCompare(b.name) || a.email.localeCompare(b.email)),
    }
  })

  route(router, api.cases.ofRecording, async ({ params, ...caller }) => {
    const { id } = await recordingAccess.requireVisible(caller, params.id)
    const found = (await listCasesOfRecordings(connection, caller.user.id, [id])).get(id) ?? []
    return {
      cases: found.map((record) => ({
        id: record.id,
        name: record.name,
        colour: record.colour,
        role: roleIn(record, caller.user.id),
        member_count: record.members.length,
      })),
    }
  })
}

/** Returns how much of the recordings of a case a member has heard, and how much anybody has verified, weighted by length. */
async function readCaseProgress(
  connection: DatabaseConnection,
  userId: string,
  caseId: string,
): Promise<ReviewProgress & { recordings: number }> {
  const sum = { ...noProgress, recordings: 0, durationMs: 0 }
  await inChunks(await listCaseRecordings(connection, userId, caseId), async (chunk) => {
    const durations = await findDurations(connection, chunk)
    const progress = await findProgress(connection, userId, [...durations.keys()])
    for (const [id, durationMs] of durations) {
      const read = progress.get(id) ?? noProgress
      sum.recordings += 1
      sum.durationMs += durationMs
      sum.heard += read.heard * durationMs
      sum.verified += read.verified * durationMs
      sum.verified_twice += read.verified_twice * durationMs
    }
  })
  const share = (weighted: number) => (sum.durationMs === 0 ? 0 : weighted / sum.durationMs)
  return {
    recordings: sum.recordings,
    heard: share(sum.heard),
    verified: share(sum.verified),
    verified_twice: share(sum.verified_twice),
  }
}
