import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

export interface WordListEntryDocument {
  word: string
  heardAs: string[]
}

/** The words of a user or of a case; `_id` is the id of the user or the case, so that there is one list of each. */
export interface WordListDocument {
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

/** The word lists of one database connection. */
export function wordListModel(connection: Connection): Model<WordListDocument> {
  return modelOf<WordListDocument>(connection, 'WordList', schema, 'word_lists')
}
