import { Schema, type Connection, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { keywordCategories, maxKeywordsPerCategory, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId, withId } from '../ids.ts'
import { requestRecount } from '../library/recount.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import {
  findFreeSlots,
  ignoreTaken,
  insertInSlot,
  insertManyInSlots,
  type SlotLimit,
  addSlots,
  type SlottedDocument,
} from '../slots.ts'

export interface KeywordRecord {
  id: string
  ownerId: string
  category: KeywordCategory
  keyword: string
  soundsLike: boolean
}

export type NewKeyword = Pick<KeywordRecord, 'category' | 'keyword' | 'soundsLike'>

export type KeywordRepository = ReturnType<typeof createKeywordRepository>

interface KeywordDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  category: KeywordCategory
  /** Lowercase, trimmed. */
  keyword: string
  /** Whether words that sound alike match too; absent in documents of earlier versions. */
  soundsLike?: boolean
}

const keywordSchema = new Schema<KeywordDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    category: { type: String, enum: keywordCategories, required: true },
    keyword: { type: String, required: true },
    soundsLike: { type: Boolean, default: false },
    slot: { type: Number },
  },
  { versionKey: false },
)
keywordSchema.index({ ownerId: 1, category: 1, keyword: 1 }, { unique: true })
addSlots(keywordSchema, ['ownerId', 'category'])

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

  function limitOf(ownerId: string, category: KeywordCategory): SlotLimit<KeywordDocument> {
    const scope = { ownerId: toObjectId(ownerId), category }
    return { model: keywords, scope, max: maxKeywordsPerCategory, fullError: tooManyKeywords }
  }

  /** Adds a keyword. Returns null where the category already has it. Throws `conflict` where the category is full. */
  async function insert(ownerId: string, keyword: NewKeyword): Promise<KeywordRecord | null> {
    try {
      const owned = { ...keyword, ownerId: toObjectId(ownerId) }
      const limit = limitOf(ownerId, keyword.category)
      return toRecord((await insertInSlot(limit, (slot) => keywords.create({ ...owned, slot }))).toObject())
    } catch (error) {
      if (isDuplicateKey(error)) return null
      throw error
    }
  }

  /** Adds keywords, leaving existing ones unchanged. Throws `conflict` where a category has no room for all of them. */
  async function insertMany(ownerId: string, added: NewKeyword[]): Promise<void> {
    for (const [category, wanted] of Map.groupBy(added, (keyword) => keyword.category)) {
      const owner = { ownerId: toObjectId(ownerId), category }
      await insertManyInSlots(limitOf(ownerId, category), {
        async listMissing() {
          const stored = await keywords.find(owner, { keyword: 1 }).lean()
          const known = new Set(stored.map(({ keyword }) => keyword))
          return wanted.filter(({ keyword }) => !known.has(keyword))
        },
        insert: (items) =>
          ignoreTaken(
            keywords.insertMany(
              items.map(({ item, slot }) => ({ ...item, ...owner, slot })),
              { ordered: false },
            ),
          ),
      })
    }
  }

  /** Returns how many more keywords each category can hold. */
  async function countRoom(ownerId: string): Promise<Map<KeywordCategory, number>> {
    const room = new Map<KeywordCategory, number>()
    for (const category of keywordCategories) {
      room.set(category, (await findFreeSlots(limitOf(ownerId, category), maxKeywordsPerCategory)).length)
    }
    return room
  }

  async function setSoundsLike(ownerId: string, ids: string[], soundsLike: boolean): Promise<void> {
    if (ids.length === 0) return
    const filter = { ownerId: toObjectId(ownerId), _id: { $in: ids.map(toObjectId) } }
    await keywords.updateMany(filter, { $set: { soundsLike } })
  }

  /** Removes a keyword. Returns whether it existed. */
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

  /** Wraps a write so that hits are recounted: requested before it too, so that a crash after the write leaves no stale hits. */
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
    countRoom,
    insert: counted(insert),
    insertMany: counted(insertMany),
    setSoundsLike: counted(setSoundsLike),
    remove: counted(remove),
    removeMany: counted(removeMany),
    removeCategory: counted(removeCategory),
    removeAll,
  }
}

function tooManyKeywords(): AppError {
  return new AppError('conflict', `A category holds at most ${maxKeywordsPerCategory} keywords`)
}

function toRecord({ slot: _slot, ...document }: KeywordDocument): KeywordRecord {
  const { soundsLike = false } = document
  return { ...withId(document), ownerId: document.ownerId.toHexString(), soundsLike }
}

export function keywordModel(connection: Connection) {
  return modelOf<KeywordDocument>(connection, 'Keyword', keywordSchema, 'keywords')
}
