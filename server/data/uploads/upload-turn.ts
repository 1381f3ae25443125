import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { uploadModel, type UploadDocument } from './upload-model.ts'
import type { UploadRecord } from './uploads.ts'

export type UploadWork = NonNullable<UploadDocument['turn']>['work']

/** How long a turn lasts without renewal, as when its server has died or its client has moved to another network. */
const turnMs: Record<UploadWork, number> = { receive: 2_000, finish: 5_000 }
/** Often enough for a turn in use to survive a busy moment of its server. */
const renewalsPerTurn = 4

type UploadKey = Pick<UploadRecord, 'ownerId' | 'id'>

/** The exclusive right, across all servers, to change an upload. */
export interface UploadTurn {
  holder: string
  /** Signals that work continues: a turn to receive is renewed only while this is called. */
  keep: () => void
  /** Renews the turn. Returns whether it is still held. */
  renew: () => Promise<boolean>
  end: () => Promise<void>
}

/**
 * Takes the turn to change an upload, by the database's clock, and renews it until ended. Returns undefined while another holder has it,
 * and where the upload is gone.
 */
export async function takeUploadTurn(
  connection: DatabaseConnection,
  { ownerId, id }: UploadKey,
  work: UploadWork,
): Promise<UploadTurn | undefined> {
  const uploads = uploadModel(connection)
  const key = { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
  const holder = crypto.randomUUID()
  let isKept = true

  const endOf = (now: Date) => new Date(now.getTime() + turnMs[work])

  async function renew(): Promise<boolean> {
    const until = endOf(await readDatabaseTime(connection))
    const { matchedCount } = await uploads.updateOne(
      { ...key, 'turn.holder': holder },
      { $set: { 'turn.until': until } },
    )
    return matchedCount === 1
  }

  const now = await readDatabaseTime(connection)
  const { matchedCount } = await uploads.updateOne(
    { ...key, $or: [{ turn: null }, { 'turn.until': { $lte: now } }] },
    { $set: { turn: { holder, work, until: endOf(now) } } },
  )
  if (matchedCount === 0) return undefined
  const renewal = setInterval(() => {
    if (!isKept) return
    isKept = work === 'finish'
    void renew().catch(() => undefined) // the next renewal may reach the database
  }, turnMs[work] / renewalsPerTurn).unref()
  return {
    holder,
    keep: () => (isKept = true),
    renew,
    async end() {
      clearInterval(renewal)
      // If the database is unreachable, the turn expires by itself.
      await uploads.updateOne({ ...key, 'turn.holder': holder }, { $unset: { turn: 1 } }).catch(() => undefined)
    },
  }
}

/** Returns whether a server is checking and storing an upload. */
export async function isBeingFinished(connection: DatabaseConnection, { ownerId, id }: UploadKey): Promise<boolean> {
  const key = { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
  const now = await readDatabaseTime(connection)
  return (await uploadModel(connection).exists({ ...key, 'turn.work': 'finish', 'turn.until': { $gt: now } })) !== null
}
