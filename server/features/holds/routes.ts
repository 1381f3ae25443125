import type { z } from 'zod'
import { api } from '#contract/api.ts'
import type { Hold, RecordingHolds } from '#contract/holds.ts'
import type { Clock } from '#data/clock.ts'
import { countCaseRecordings } from '#data/cases/case-recordings.ts'
import { roleIn } from '#data/cases/case-record.ts'
import { findCasesById } from '#data/cases/cases.ts'
import { listHeldCases } from '#data/holds/case-holds.ts'
import { readKeptStates, type KeptSubject } from '#data/holds/kept-states.ts'
import { listHeldRecordings } from '#data/holds/recording-holds.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findPeople, type PersonRecord } from '#data/users/people.ts'
import type { AppContext, AppRouter, AuthUser } from '#server/http/context.ts'
import { streamRows } from '#server/http/csv-stream.ts'
import type { HeavyTurns } from '#server/http/heavy-turns.ts'
import { route } from '#server/http/route.ts'
import { assertIsMember, isAdmin, requireCase } from '../cases/policy.ts'
import { presentHiddenHold, presentHold } from '../cases/present-hold.ts'
import { presentCaseDetails } from '../cases/present.ts'
import type { RecordingAccessGuard } from '../recordings/recording-access.ts'
import type { HoldService } from './service.ts'

interface HoldRoutesDeps {
  holds: HoldService
  queue: Queue
  recordingAccess: RecordingAccessGuard
  clock: Clock
}

/** The maximum number of cases, and of recordings, in the list of all holds. */
const maxListed = 1_000

/** Mounts the legal holds of recordings and cases. */
export function mountHolds(router: AppRouter, { holds, queue, recordingAccess, clock }: HoldRoutesDeps): void {
  const { connection } = queue

  route(router, api.holds.get, async ({ params, ...caller }) => {
    return present(caller.user, await recordingAccess.requireVisible(caller, params.id))
  })

  route(router, api.holds.set, async ({ params, body, ...actor }) => {
    return present(actor.user, await holds.set(actor, params.id, body.reason))
  })

  route(router, api.holds.lift, async ({ params, body, ...actor }) => {
    return present(actor.user, await holds.lift(actor, params.id, body.reason))
  })

  route(router, api.holds.setOfCase, async ({ params, body, ...actor }) => {
    return presentCaseDetails({ connection, clock }, actor.user, await holds.setOfCase(actor, params.id, body.reason))
  })

  route(router, api.holds.liftOfCase, async ({ params, body, ...actor }) => {
    return presentCaseDetails({ connection, clock }, actor.user, await holds.liftOfCase(actor, params.id, body.reason))
  })

  route(router, api.holds.keptStates, async ({ params, takeTurn, signal, ctx, ...caller }) => {
    const { ownerId, id } = await recordingAccess.requireExportable(caller, params.id, 'kept states')
    sendKept(ctx, { ownerId, subjectId: id }, { takeTurn, signal })
  })

  route(router, api.holds.keptStatesOfCase, async ({ params, takeTurn, signal, ctx, user }) => {
    const opened = await requireCase(connection, user, params.id)
    assertIsMember(opened)
    sendKept(ctx, { ownerId: opened.record.ownerId, subjectId: params.id }, { takeTurn, signal })
  })

  route(router, api.holds.list, async ({ user }) => {
    const [cases, recordings] = await Promise.all([
      listHeldCases(connection, maxListed),
      listHeldRecordings(queue, maxListed),
    ])
    const ids = [...cases, ...recordings].flatMap(({ ownerId, hold }) => [ownerId, ...(hold ? [hold.setBy] : [])])
    const [people, counts] = await Promise.all([
      findPeople(connection, ids),
      countCaseRecordings(
        connection,
        cases.map(({ id }) => id),
      ),
    ])
    const context = { people, isAdmin: isAdmin(user) }
    return {
      cases: cases.flatMap((record) => {
        const { id, name, ownerId, hold } = record
        if (!hold) return []
        const shown = presentHold(hold, { ...context, of: record, isOwner: ownerId === user.id })
        return [{ id, name, owner: personOf(people, ownerId), recording_count: counts.get(id) ?? 0, hold: shown }]
      }),
      recordings: recordings.flatMap(({ id, ownerId, createdAt, hold }) => {
        if (!hold) return []
        const shown = presentHold(hold, { ...context, of: null, isOwner: ownerId === user.id })
        return [{ id, owner: personOf(people, ownerId), uploaded_at: createdAt.toISOString(), hold: shown }]
      }),
    }
  })

  /** Presents the holds of a recording to one of its readers or an admin. */
  async function present(user: AuthUser, recording: RecordingRecord): Promise<z.input<typeof RecordingHolds>> {
    const { hold, ownerId, heldByCases = [] } = recording
    const cases = [...(await findCasesById(connection, heldByCases)).values()]
    const setters = [hold, ...cases.map((each) => each.hold)].flatMap((each) => each?.setBy ?? [])
    const people = await findPeople(connection, setters)
    const isOwner = ownerId === user.id
    const context = { people, isAdmin: isAdmin(user) }
    const ofCases = cases.flatMap((record): z.input<typeof Hold>[] => {
      if (!record.hold) return []
      const role = roleIn(record, user.id)
      if (role === null && !context.isAdmin) return [presentHiddenHold(record.hold)]
      return [presentHold(record.hold, { ...context, of: record, isOwner: role === 'owner' })]
    })
    const own = hold ? [presentHold(hold, { ...context, of: null, isOwner })] : []
    return { holds: [...own, ...ofCases], can_hold: context.isAdmin || (isOwner && !hold?.isByAdmin) }
  }

  function sendKept(ctx: AppContext, subject: KeptSubject, turns: HeavyTurns): void {
    ctx.status = 200
    ctx.attachment('awaz-kept.jsonl')
    ctx.set('Content-Type', 'application/jsonl; charset=utf-8')
    ctx.set('Cache-Control', 'no-store')
    ctx.body = streamRows(keptLines(subject), turns)
  }

  async function* keptLines(subject: KeptSubject): AsyncGenerator<string> {
    for await (const { kind, keptAt, state } of readKeptStates(connection, subject))
      yield `${JSON.stringify({ kind, kept_at: keptAt.toISOString(), before: state })}\n`
  }
}

function personOf(people: Map<string, PersonRecord>, id: string) {
  const person = people.get(id)
  return { id, name: person?.name ?? '', email: person?.email ?? '' }
}
