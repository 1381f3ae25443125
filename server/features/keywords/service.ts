import { AppError } from '#contract/app-error.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import { maxKeywords, toKeywordLists } from '#data/keywords/keyword-lists.ts'
import type { KeywordRecord, KeywordRepository, NewKeyword } from '#data/keywords/keywords.ts'

export type KeywordService = ReturnType<typeof createKeywords>

/** Creates the service for users' keyword lists: audio-workflow specification, sections 3 and 7. */
export function createKeywords({ keywords }: { keywords: KeywordRepository }) {
  function list(ownerId: string): Promise<KeywordRecord[]> {
    return keywords.list(ownerId, maxKeywords)
  }

  /** Returns the lists in the form used to scan texts. */
  async function readLists(ownerId: string): Promise<Keywords> {
    return toKeywordLists(await list(ownerId))
  }

  /**
   * Replaces the lists. A keyword that stays keeps its id and, if `sounds_like` is missing, its option. New keywords are inserted before
   * old ones are removed, as far as there is room for both, so that nothing is lost if it fails halfway. Throws `conflict` if a category
   * was filled in the meantime.
   */
  async function replace(ownerId: string, wanted: Keywords): Promise<void> {
    const { added, changed, removed } = compare(await list(ownerId), wanted)
    const { fitting, others } = splitByRoom(added, await keywords.countRoom(ownerId))
    await keywords.insertMany(ownerId, fitting)
    for (const soundsLike of [true, false]) {
      const ids = changed.filter((keyword) => keyword.soundsLike !== soundsLike).map(({ id }) => id)
      await keywords.setSoundsLike(ownerId, ids, soundsLike)
    }
    await keywords.removeMany(
      ownerId,
      removed.map(({ id }) => id),
    )
    if (others.length > 0) await keywords.insertMany(ownerId, others)
  }

  /** Throws `conflict` if the category already has the keyword or is full. */
  async function add(ownerId: string, keyword: NewKeyword): Promise<KeywordRecord> {
    const added = await keywords.insert(ownerId, keyword)
    if (!added) throw new AppError('conflict', 'Keyword already exists in this category')
    return added
  }

  /** Throws `not_found`. */
  async function remove(ownerId: string, id: string): Promise<void> {
    if (!(await keywords.remove(ownerId, id))) throw new AppError('not_found', 'Keyword not found')
  }

  return {
    list,
    readLists,
    replace,
    add,
    remove,
    clearCategory: keywords.removeCategory,
    removeAll: keywords.removeAll,
  }
}

/** Splits new keywords into those that fit alongside what a category already has, and the rest. */
function splitByRoom(added: NewKeyword[], room: Map<KeywordCategory, number>) {
  const left = new Map(room)
  const fits = ({ category }: NewKeyword) => {
    const places = left.get(category) ?? 0
    left.set(category, places - 1)
    return places > 0
  }
  const { fitting = [], others = [] } = Object.groupBy(added, (keyword) => (fits(keyword) ? 'fitting' : 'others'))
  return { fitting, others }
}

/** Compares the stored keywords with the wanted lists; `changed` has those whose `soundsLike` differs. */
function compare(stored: KeywordRecord[], wanted: Keywords) {
  const removed = new Map(stored.map((record) => [`${record.category}:${record.keyword}`, record]))
  const added: NewKeyword[] = []
  const changed: KeywordRecord[] = []
  const similar = wanted.sounds_like && new Set(wanted.sounds_like)
  for (const category of keywordCategories) {
    for (const keyword of new Set(wanted[category])) {
      const kept = removed.get(`${category}:${keyword}`)
      removed.delete(`${category}:${keyword}`)
      if (!kept) added.push({ category, keyword, soundsLike: similar?.has(keyword) ?? false })
      else if (similar && similar.has(keyword) !== kept.soundsLike) changed.push(kept)
    }
  }
  return { added, changed, removed: [...removed.values()] }
}
