import type { z } from 'zod'
import { api } from '#contract/api.ts'
import type { RecordingActivity } from '#contract/recording-activity.ts'
import type { AuditEventRecord } from '#data/audit/audit-events.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readLifecycle } from '#data/recordings/lifecycle.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import { findPeople, type PersonRecord } from '#data/users/people.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'

interface ActivityDeps {
  connection: DatabaseConnection
  audit: Pick<Audit, 'listOfRecording'>
}

/** Mounts GET /api/recordings/{id}/activity. */
export function mountActivity(router: AppRouter, { connection, audit }: ActivityDeps): void {
  route(router, api.activity.ofRecording, async ({ params, query, user }) => {
    const lifecycle = await readLifecycle(connection, { ownerId: user.id, recordingId: params.id })
    if (lifecycle === 'gone') throw recordingNotFound()
    const { events, total } = await audit.listOfRecording(params.id, { page: query.page, perPage: query.per_page })
    const actors = events.flatMap(({ actorId }) => actorId ?? [])
    const people = await findPeople(connection, actors)
    return {
      entries: events.map((event) => presentActivity(event, { people, userId: user.id })),
      ...presentPage(query, total),
    }
  })
}

function presentActivity(
  { id, at, action, actorId, actor, details }: AuditEventRecord,
  { people, userId }: { people: Map<string, PersonRecord>; userId: string },
): z.infer<typeof RecordingActivity> {
  // For a deleted account, the trail still has the address.
  const who =
    actorId === null ? null : { id: actorId, name: people.get(actorId)?.name ?? actor, is_you: actorId === userId }
  return { id, at: at.toISOString(), action, who, details }
}
