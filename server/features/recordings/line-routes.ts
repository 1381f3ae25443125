import { api } from '#contract/api.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { changeLines } from './change-lines.ts'
import type { RecordingAccessGuard } from './recording-access.ts'
import { createWrittenLinesReader } from './written-lines.ts'

/** Mounts PATCH /api/recordings/{id}/lines. */
export function mountLines(
  router: AppRouter,
  { queue, recordingAccess }: { queue: Queue; recordingAccess: RecordingAccessGuard },
): void {
  const readWrittenLines = createWrittenLinesReader(queue)
  route(router, api.editing.changeLines, async ({ params, body, ...caller }) => {
    const recording = await recordingAccess.requireEditable(caller, params.id)
    return changeLines({ queue, readWrittenLines }, recording, body)
  })
}
