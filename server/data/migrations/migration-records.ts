import { type Types, Schema, type Connection, type Model } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { modelOf } from '../model.ts'
import type { Migration } from './migration.ts'

/** The progress of the running migration, or of the restore point before it. */
export interface MigrationProgress {
  name: string
  /** `pages` for a restore point, which is copied in database pages. */
  unit: 'documents' | 'pages'
  done: number
  /** 0 where unknown. */
  total: number
}

/** The progress of a migration in this database. */
interface MigrationDocument {
  /** Its name. */
  _id: string
  /** The last document that it has processed; null before the first. */
  position: Types.ObjectId | null
  /** Number of documents that it has processed. */
  passed: number
  /** Number of documents in its collection when it began. */
  total: number
  startedAt: Date
  finishedAt: Date | null
}

const schema = new Schema<MigrationDocument>(
  {
    _id: { type: String, required: true },
    position: { type: Schema.Types.ObjectId, default: null },
    passed: { type: Number, required: true },
    total: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, autoIndex: false },
)

/** Stores which migrations have run in a database, and the progress of a running one. */
export function createMigrationRecords(connection: DatabaseConnection) {
  const records = migrationModel(connection)

  /** Returns the migrations in the list that have not finished, in the same order. */
  async function listPending<M extends Pick<Migration, 'name'>>(list: readonly M[]): Promise<M[]> {
    const names = list.map(({ name }) => name)
    const finished = await records.find({ _id: { $in: names }, finishedAt: { $ne: null } }, { _id: 1 }).lean()
    const done = new Set(finished.map(({ _id }) => _id))
    return list.filter(({ name }) => !done.has(name))
  }

  /** Returns where a migration continues; stores its start if it has not begun. */
  async function begin(name: string, total: number): Promise<MigrationDocument> {
    const first = { position: null, passed: 0, total, startedAt: new Date(), finishedAt: null }
    const options = { upsert: true, returnDocument: 'after' } as const
    const begun = await records.findOneAndUpdate({ _id: name }, { $setOnInsert: first }, options).lean()
    if (!begun) throw new Error(`The beginning of the migration ${name} was not stored`)
    return begun
  }

  /** Resets migrations that have begun to their start. */
  async function restart(names: readonly string[]): Promise<void> {
    await records.deleteMany({ _id: { $in: names }, finishedAt: null })
  }

  async function advance(name: string, position: Types.ObjectId, passed: number): Promise<void> {
    await records.updateOne({ _id: name }, { $set: { position }, $inc: { passed } })
  }

  async function finish(name: string): Promise<void> {
    await records.updateOne({ _id: name }, { $set: { finishedAt: new Date() } })
  }

  /** Returns the progress of the migration that has begun but not finished; null where none is running. */
  async function findRunning(): Promise<MigrationProgress | null> {
    const running = (await records.find({}).lean()).find(({ finishedAt }) => finishedAt === null)
    if (!running) return null
    return { name: running._id, unit: 'documents', done: running.passed, total: running.total }
  }

  return { listPending, begin, restart, advance, finish, findRunning }
}

export type MigrationRecords = ReturnType<typeof createMigrationRecords>

export function migrationModel(connection: Connection): Model<MigrationDocument> {
  return modelOf<MigrationDocument>(connection, 'Migration', schema, 'migrations')
}
