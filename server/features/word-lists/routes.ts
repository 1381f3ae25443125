import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { WordListService } from './service.ts'

/** Mounts the word lists of users and of cases. */
export function mountWordLists(router: AppRouter, { wordLists }: { wordLists: WordListService }): void {
  route(router, api.wordLists.own, ({ user }) => wordLists.readOwn(user.id))
  route(router, api.wordLists.replaceOwn, ({ body, ...actor }) => wordLists.replaceOwn(actor, body))
  route(router, api.wordLists.ofCase, ({ params, user }) => wordLists.readOfCase(user, params.id))
  route(router, api.wordLists.replaceOfCase, ({ params, body, ...actor }) =>
    wordLists.replaceOfCase(actor, params.id, body),
  )
}
