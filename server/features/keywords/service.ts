import { Types, type Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import { keywordModel, type KeywordDoc } from '#data/accounts/record-models.ts'
import { isDuplicateKey } from '#data/model.ts'

const mostPerCategory = 2000

/** The keyword list of each user: audio-workflow specification, sections 3 and 7. */
export function createKeywords({ connection }: { connection: Connection }) {
  const keywords = keywordModel(connection)

  async function list(ownerId: string): Promise<KeywordDoc[]> {
    const limit = mostPerCategory * keywordCategories.length
    return keywords
      .find({ ownerId: new Types.ObjectId(ownerId) })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<KeywordDoc[]>()
  }

  /**
   * Makes the list exactly this. What is kept keeps its id, and without `sounds_like` whether it may sound alike; new words are added
   * before old ones go, so that nothing is lost halfway.
   */
  async function replace(ownerId: string, wanted: Keywords): Promise<void> {
    const owner = new Types.ObjectId(ownerId)
    const existing = new Map((await list(ownerId)).map((doc) => [`${doc.category}:${doc.keyword}`, doc]))
    const added: Omit<KeywordDoc, '_id'>[] = []
    const changed: KeywordDoc[] = []
    const similar = wanted.sounds_like && new Set(wanted.sounds_like)
    for (const category of keywordCategories) {
      for (const keyword of new Set(wanted[category])) {
        const kept = existing.get(`${category}:${keyword}`)
        existing.delete(`${category}:${keyword}`)
        if (!kept) added.push({ ownerId: owner, category, keyword, soundsLike: similar?.has(keyword) ?? false })
        else if (similar && similar.has(keyword) !== (kept.soundsLike ?? false)) changed.push(kept)
      }
    }
    await keywords.insertMany(added, { ordered: false }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    for (const soundsLike of [true, false]) {
      const ids = changed.filter((doc) => (doc.soundsLike ?? false) !== soundsLike).map((doc) => doc._id)
      if (ids.length > 0) await keywords.updateMany({ ownerId: owner, _id: { $in: ids } }, { $set: { soundsLike } })
    }
    await keywords.deleteMany({ ownerId: owner, _id: { $in: [...existing.values()].map((doc) => doc._id) } })
  }

  /** @throws AppError `conflict` when it is there already or the category is full */
  async function add(
    ownerId: string,
    category: KeywordCategory,
    { keyword, soundsLike }: Pick<KeywordDoc, 'keyword' | 'soundsLike'>,
  ): Promise<KeywordDoc> {
    const owner = new Types.ObjectId(ownerId)
    if ((await keywords.countDocuments({ ownerId: owner, category })) >= mostPerCategory) {
      throw new AppError('conflict', `A category holds at most ${mostPerCategory} keywords`)
    }
    try {
      return (await keywords.create({ ownerId: owner, category, keyword, soundsLike })).toObject()
    } catch (error) {
      if (isDuplicateKey(error))
        throw new AppError('conflict', 'Keyword already exists in this category', { cause: error })
      throw error
    }
  }

  /** @throws AppError `not_found` */
  async function remove(ownerId: string, id: string): Promise<void> {
    const filter = { _id: new Types.ObjectId(id), ownerId: new Types.ObjectId(ownerId) }
    const { deletedCount } = await keywords.deleteOne(filter)
    if (deletedCount === 0) throw new AppError('not_found', 'Keyword not found')
  }

  async function clearCategory(ownerId: string, category: KeywordCategory): Promise<void> {
    await keywords.deleteMany({ ownerId: new Types.ObjectId(ownerId), category })
  }

  return { list, replace, add, remove, clearCategory }
}
