import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { ListedWord, NewWordList, WordList } from '#contract/word-lists.ts'
import { listCasesOfRecordings } from '../cases/case-recordings.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

/** The owner of a list: a user or a case. */
export interface WordListOwner {
  of: 'user' | 'case'
  id: string
}

export type WordListRecord = WordListOwner & WordList

/** Far more than the number of cases that contain one recording. */
const maxLists = 50

interface WordListEntryDocument {
  word: string
  heardAs: string[]
}

/** The words of a user or a case; `_id` is the id of the user or case, so that each has only one list. */
interface WordListDocument {
  _id: Types.ObjectId
  of: 'user' | 'case'
  revision: number
  words: WordListEntryDocument[]
}

const storedWord = new Schema<WordListEntryDocument>(
  { word: { type: String, required: true }, heardAs: { type: [String], required: true } },
  { _id: false },
)

const schema = new Schema<WordListDocument>(
  {
    of: { type: String, enum: ['user', 'case'], required: true },
    revision: { type: Number, required: true },
    words: { type: [storedWord], required: true },
  },
  { versionKey: false, autoIndex: false },
)

/** Returns the list of a user or a case, empty with revision 0 where there is none. The caller has checked who may read it. */
export async function findWordList(connection: DatabaseConnection, { of, id }: WordListOwner): Promise<WordList> {
  const found = await wordListModel(connection)
    .findOne({ _id: toObjectId(id), of })
    .lean<WordListDocument>()
  return { revision: found?.revision ?? 0, words: (found?.words ?? []).map(toListedWord) }
}

/**
 * Stores a whole list if the stored revision is that of `list`, and returns it with the next revision; null where it was changed in the
 * meantime. The caller checks afterwards that the account or case still exists.
 */
export async function replaceWordList(
  connection: DatabaseConnection,
  { of, id }: WordListOwner,
  list: NewWordList,
): Promise<WordList | null> {
  const model = wordListModel(connection)
  const _id = toObjectId(id)
  const words = list.words.map(toStoredWord)
  const revision = list.revision + 1
  const stored: WordList = { revision, words: list.words }
  if (list.revision > 0) {
    const { matchedCount } = await model.updateOne({ _id, of, revision: list.revision }, { $set: { revision, words } })
    return matchedCount === 1 ? stored : null
  }
  try {
    await model.create({ _id, of, revision, words })
    return stored
  } catch (error) {
    if (isDuplicateKey(error)) return null
    throw error
  }
}

/** Deletes the lists of users or cases, as part of deleting them. */
export async function removeWordLists(
  connection: DatabaseConnection,
  of: 'user' | 'case',
  ids: string[],
): Promise<void> {
  await wordListModel(connection).deleteMany({ _id: { $in: ids.map(toObjectId) }, of })
}

/**
 * Returns the non-empty lists used to transcribe a recording: those of the cases that contain it, last changed first, then that of its
 * owner. A recording counts as part of a case only while its owner is a member.
 */
export async function listWordListsOfRecording(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<WordListRecord[]> {
  const cases = (await listCasesOfRecordings(connection, ownerId, [recordingId])).get(recordingId) ?? []
  const owners: WordListOwner[] = [
    ...cases.slice(0, maxLists).map(({ id }) => ({ of: 'case' as const, id })),
    { of: 'user', id: ownerId },
  ]
  const found = await wordListModel(connection)
    .find({ _id: { $in: owners.map(({ id }) => toObjectId(id)) } })
    .lean<WordListDocument[]>()
  const byId = new Map(found.map((list) => [list._id.toHexString(), list]))
  return owners.flatMap((owner) => {
    const list = byId.get(owner.id)
    if (!list || list.of !== owner.of || list.words.length === 0) return []
    return [{ ...owner, revision: list.revision, words: list.words.map(toListedWord) }]
  })
}

function toListedWord({ word, heardAs }: WordListEntryDocument): ListedWord {
  return { word, heard_as: heardAs }
}

function toStoredWord({ word, heard_as: heardAs }: ListedWord): WordListEntryDocument {
  return { word, heardAs }
}

/** The word lists of one database connection. */
export function wordListModel(connection: Connection): Model<WordListDocument> {
  return modelOf<WordListDocument>(connection, 'WordList', schema, 'word_lists')
}
