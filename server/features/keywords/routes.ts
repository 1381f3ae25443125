import { api } from '#contract/api.ts'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { KeywordDoc } from '#data/accounts/record-models.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'

export function mountKeywords(router: AppRouter, { keywords }: Services): void {
  route(router, api.keywords.list, async ({ user }) => ({ keywords: group(await keywords.list(user.id)) }))

  route(router, api.keywords.replace, async ({ user, body }) => {
    await keywords.replace(user.id, 'keywords' in body ? body.keywords : body)
    return { keywords: group(await keywords.list(user.id)) }
  })

  route(router, api.keywords.add, async ({ user, params, body }) => {
    const added = await keywords.add(user.id, params.category, { keyword: body.keyword, soundsLike: body.sounds_like })
    return { keyword: { ...present(added), category: added.category } }
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

function present(doc: KeywordDoc) {
  return { id: doc._id.toHexString(), keyword: doc.keyword, sounds_like: doc.soundsLike ?? false }
}

function group(docs: KeywordDoc[]) {
  const of = (category: KeywordCategory) => docs.filter((doc) => doc.category === category).map(present)
  const [threats, sentiment, intent, custom] = keywordCategories
  return { threats: of(threats), sentiment: of(sentiment), intent: of(intent), custom: of(custom) }
}
