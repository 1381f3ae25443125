import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { route } from '#server/http/route.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import type { SearchService } from './service.ts'

export function mountSearch(
  router: AppRouter,
  { search, trail }: { search: SearchService; trail: Pick<RecordingTrail, 'recordSearch'> },
): void {
  route(router, api.search.find, async ({ query, ctx, ...caller }) => {
    await trail.recordSearch(caller)
    return search.find(caller.user.id, query, disconnectSignal(ctx))
  })
}
