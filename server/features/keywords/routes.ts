import { api } from '#contract/api.ts'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { KeywordRecord } from '#data/keywords/keywords.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { KeywordService } from './service.ts'

export function mountKeywords(router: AppRouter, { keywords }: { keywords: KeywordService }): void {
  route(router, api.keywords.list, async ({ user }) => ({ keywords: groupByCategory(await keywords.list(user.id)) }))

  route(router, api.keywords.replace, async ({ user, body }) => {
    await keywords.replace(user.id, 'keywords' in body ? body.keywords : body)
    return { keywords: groupByCategory(await keywords.list(user.id)) }
  })

  route(router, api.keywords.add, async ({ user, params, body }) => {
    const { category } = params
    const added = await keywords.add(user.id, { category, keyword: body.keyword, soundsLike: body.sounds_like })
    return { keyword: { ...presentKeyword(added), category } }
  })

  route(router, api.keywords.remove, async ({ user, params }) => {
    await keywords.remove(user.id, params.id)
    return { message: 'Keyword removed' }
  })

  route(router, api.keywords.clearCategory, async ({ user, params }) => {
    await keywords.clearCategory(user.id, params.category)
    return { message: 'Keywords of the category removed' }
  })
}

function presentKeyword({ id, keyword, soundsLike }: KeywordRecord) {
  return { id, keyword, sounds_like: soundsLike }
}

function groupByCategory(records: KeywordRecord[]) {
  const listOf = (category: KeywordCategory) =>
    records.filter((record) => record.category === category).map(presentKeyword)
  const [threats, sentiment, intent, custom] = keywordCategories
  return { threats: listOf(threats), sentiment: listOf(sentiment), intent: listOf(intent), custom: listOf(custom) }
}
