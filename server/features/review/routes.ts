import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RecordingAccessGuard } from '../recordings/recording-access.ts'
import type { ReviewService } from './service.ts'

/** Mounts the endpoints for what people have heard, verified and doubted in recordings. */
export function mountReview(
  router: AppRouter,
  { review, recordingAccess }: { review: ReviewService; recordingAccess: RecordingAccessGuard },
): void {
  const { requireReadableWith, requireEditable, requireHearable } = recordingAccess

  route(router, api.review.getHeard, async ({ params, ...caller }) => {
    const userId = caller.user.id
    const { recording, parts } = await requireReadableWith(caller, params.id, (owner) =>
      review.heardRead({ ...owner, userId }),
    )
    return { channels: await review.presentHeard(recording, userId, parts[0]) }
  })

  route(router, api.review.addHeard, async ({ params, body, ...caller }) => {
    const recording = await requireHearable(caller, params.id)
    return { channels: await review.addHeard(recording, caller.user.id, body.channels) }
  })

  route(router, api.review.listMarks, async ({ params, ...caller }) => {
    const { recording, parts } = await requireReadableWith(caller, params.id, review.marksRead)
    return { marks: await review.presentMarks(recording, parts[0]) }
  })

  route(router, api.review.markLines, async ({ params, body, ...caller }) => {
    const recording = await requireEditable(caller, params.id)
    const { lines, is_verified: isVerified, doubt } = body
    const marks = await review.mark(recording, caller.user.id, {
      lines,
      isVerified,
      doubt: doubt && { isUncertain: doubt.is_uncertain, reason: doubt.reason },
    })
    return { marks }
  })
}
