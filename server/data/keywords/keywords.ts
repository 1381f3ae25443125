import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId, withId } from '../ids.ts'
import { requestRecount } from '../library/recount.ts'
import { isDuplicateKey } from '../model.ts'
import { keywordModel, type KeywordDocument } from './keyword-model.ts'

export interface KeywordRecord {
  id: string
  ownerId: string
  category: KeywordCategory
  keyword: string
  soundsLike: boolean
}

export type NewKeyword = Pick<KeywordRecord, 'category' | 'keyword' | 'soundsLike'>

export type KeywordRepository = ReturnType<typeof createKeywordRepository>

export function createKeywordRepository(connection: DatabaseConnection) {
  const keywords = keywordModel(connection)

  /** Returns the keywords of one owner, oldest first. */
  async function list(ownerId: string, limit: number): Promise<KeywordRecord[]> {
    const found = await keywords
      .find({ ownerId: toObjectId(ownerId) })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<KeywordDocument[]>()
    return found.map(toRecord)
  }

  async function count(ownerId: string, category: KeywordCategory): Promise<number> {
    return keywords.countDocuments({ ownerId: toObjectId(ownerId), category })
  }

  /** Returns null where the category has the keyword already. */
  async function insert(ownerId: string, keyword: NewKeyword): Promise<KeywordRecord | null> {
    try {
      return toRecord((await keywords.create({ ...keyword, ownerId: toObjectId(ownerId) })).toObject())
    } catch (error) {
      if (isDuplicateKey(error)) return null
      throw error
    }
  }

  /** Leaves keywords that are there already as they are. */
  async function insertMany(ownerId: string, added: NewKeyword[]): Promise<void> {
    const owned = added.map((keyword) => ({ ...keyword, ownerId: toObjectId(ownerId) }))
    await keywords.insertMany(owned, { ordered: false }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  }

  async function setSoundsLike(ownerId: string, ids: string[], soundsLike: boolean): Promise<void> {
    if (ids.length === 0) return
    const filter = { ownerId: toObjectId(ownerId), _id: { $in: ids.map(toObjectId) } }
    await keywords.updateMany(filter, { $set: { soundsLike } })
  }

  /** Returns whether there was one. */
  async function remove(ownerId: string, id: string): Promise<boolean> {
    const { deletedCount } = await keywords.deleteOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
    return deletedCount === 1
  }

  async function removeMany(ownerId: string, ids: string[]): Promise<void> {
    await keywords.deleteMany({ ownerId: toObjectId(ownerId), _id: { $in: ids.map(toObjectId) } })
  }

  async function removeCategory(ownerId: string, category: KeywordCategory): Promise<void> {
    await keywords.deleteMany({ ownerId: toObjectId(ownerId), category })
  }

  async function removeAll(ownerId: string): Promise<void> {
    await keywords.deleteMany({ ownerId: toObjectId(ownerId) })
  }

  /** Has hits counted again: requested before as well, so that a crash after the write leaves none as they were. */
  function counted<Args extends unknown[], Result>(write: (ownerId: string, ...args: Args) => Promise<Result>) {
    return async (ownerId: string, ...args: Args): Promise<Result> => {
      await requestRecount(connection, ownerId)
      const result = await write(ownerId, ...args)
      await requestRecount(connection, ownerId)
      return result
    }
  }

  return {
    list,
    count,
    insert: counted(insert),
    insertMany: counted(insertMany),
    setSoundsLike: counted(setSoundsLike),
    remove: counted(remove),
    removeMany: counted(removeMany),
    removeCategory: counted(removeCategory),
    removeAll,
  }
}

function toRecord(document: KeywordDocument): KeywordRecord {
  const { soundsLike = false } = document
  return { ...withId(document), ownerId: document.ownerId.toHexString(), soundsLike }
}
