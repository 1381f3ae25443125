import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { route } from '#server/http/route.ts'
import type { SearchService } from './service.ts'

export function mountSearch(router: AppRouter, { search }: { search: SearchService }): void {
  route(router, api.search.find, ({ user, query, ctx }) => search.find(user.id, query, disconnectSignal(ctx)))
}
