import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from './model.ts'

interface CounterDocument {
  _id: string
  value: number
}

const counterId = 'changes'
const schema = new Schema<CounterDocument>(
  { _id: { type: String, required: true }, value: { type: Number, required: true } },
  { versionKey: false, autoIndex: false },
)

/** The counters of one database connection. */
export function counterModel(connection: Connection): Model<CounterDocument> {
  return modelOf<CounterDocument>(connection, 'Counter', schema, 'counters')
}

/**
 * The number of the next change, for a document's field `change`: it only ever grows, whatever any clock says. It is taken before the
 * document is written, so numbers may become visible out of their order and some never do.
 */
export async function nextChange(connection: Connection): Promise<number> {
  const counter = await counterModel(connection)
    .findOneAndUpdate({ _id: counterId }, { $inc: { value: 1 } }, { upsert: true, returnDocument: 'after' })
    .lean<CounterDocument>()
  if (!counter) throw new Error('The counter of changes could not be written')
  return counter.value
}

/** The number given out last; 0 before the first. */
export async function readLastChange(connection: Connection): Promise<number> {
  const counter = await counterModel(connection).findById(counterId).lean<CounterDocument>()
  return counter?.value ?? 0
}

/** Lifts the counter to `value` where it stands lower, as after a backup whose documents are younger than its counter. */
export async function raiseLastChange(connection: Connection, value: number): Promise<void> {
  await counterModel(connection).updateOne({ _id: counterId }, { $max: { value } }, { upsert: true })
}
