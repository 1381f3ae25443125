import { api } from '#contract/api.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { changeLines } from './change-lines.ts'
import { createWrittenLinesReader } from './written-lines.ts'

/** Mounts PATCH /api/recordings/{id}/lines. */
export function mountLines(router: AppRouter, { queue }: { queue: Queue }): void {
  const readWrittenLines = createWrittenLinesReader(queue)
  route(router, api.editing.changeLines, async ({ params, body, user }) => {
    const recording = await requireRecording(queue.connection, user.id, params.id)
    return changeLines({ queue, readWrittenLines }, recording, body)
  })
}
