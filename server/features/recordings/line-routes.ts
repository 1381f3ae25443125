import { api } from '#contract/api.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { changeLines } from './change-lines.ts'

/** Mounts PATCH /api/recordings/{id}/lines. */
export function mountLines(router: AppRouter, { queue }: { queue: Queue }): void {
  route(router, api.editing.changeLines, async ({ params, body, user }) => {
    return changeLines(queue, await requireRecording(queue.connection, user.id, params.id), body)
  })
}
