import { Types, Schema, type Connection, type Model } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { sumHeldBytes } from '../uploads/uploads.ts'
import { modelOf } from '../model.ts'
import { sumRecordings, sumRemovedBytes } from './recordings.ts'

/** A share of a user's quota. */
export interface Reservation {
  /** Changes its size to `bytes`. Throws `disk_full` if that is more than the quota has left. */
  resize(bytes: number): Promise<void>
  /** Runs `store`, which stores the content, then releases the share: from then on, the content itself counts. */
  settle<Result>(store: () => Promise<Result>): Promise<Result>
  /** Releases the share; repeated calls do nothing. */
  release(): Promise<void>
}

export interface Quota {
  /** Reserves a share. Throws `disk_full` if the quota has less left. */
  reserve(ownerId: string, bytes: number): Promise<Reservation>
  /** Returns the share of a resumable upload, which has counted since the upload began; `release` ends that. */
  hold(ownerId: string, release: () => Promise<void>): Reservation
  /** Returns the bytes counted for a user, including what can be restored. */
  readUsage(ownerId: string): Promise<number>
  /** Bytes one user may store; null for no limit. */
  maxBytes: number | null
}

interface QuotaOptions {
  connection: DatabaseConnection
  /** Bytes one user may store; 0 for no limit. */
  quotaBytes: number
  /** Deletes a user's removed recordings that could still be restored, oldest first, until this many bytes are free. */
  purgeRemoved: (ownerId: string, bytes: number) => Promise<void>
}

const leaseMs = 3 * 60_000
const renewMs = 60_000

/** Space in a user's quota for a running upload: counted like a recording until there is one. */
interface ReservationDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  bytes: number
  /** Renewed while the upload continues, so that what a crashed server reserved is soon free again. */
  expiresAt: Date
}

const schema = new Schema<ReservationDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    bytes: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/**
 * Counts what users store against their quota, including running uploads, so that parallel uploads together never exceed it. A share is
 * written before the sum is read: of two servers, at least one sees the other's share. Within a server, the shares of one user are
 * reserved one after another, so that none is rejected because of a share that is about to be rejected itself.
 */
export function openQuota({ connection, quotaBytes, purgeRemoved }: QuotaOptions): Quota {
  const reservations = reservationModel(connection)
  const runExclusive = createKeyedMutex()
  /** Returns the bytes counted for a user, shares included. */
  async function sum(owner: string): Promise<number> {
    const ownerId = toObjectId(owner)
    const now = await readDatabaseTime(connection)
    const [recordings, removedBytes, uploadBytes, [texts], [shares]] = await Promise.all([
      sumRecordings(connection, owner),
      sumRemovedBytes(connection, owner),
      sumHeldBytes(connection, owner, now),
      sourceModel(connection).aggregate<{ bytes: number }>([
        { $match: { ownerId, recordingId: { $ne: null } } },
        { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
      ]),
      reservations.aggregate<{ bytes: number }>([
        { $match: { ownerId, expiresAt: { $gt: now } } },
        { $group: { _id: null, bytes: { $sum: '$bytes' } } },
      ]),
    ])
    return recordings.sizeBytes + removedBytes + uploadBytes + (texts?.bytes ?? 0) + (shares?.bytes ?? 0)
  }

  if (quotaBytes === 0) return { reserve: async () => unlimited, hold: () => unlimited, readUsage: sum, maxBytes: null }

  /** Returns whether the user stores too much, even without removed recordings. */
  async function isOver(owner: string): Promise<boolean> {
    const excess = (await sum(owner)) - quotaBytes
    if (excess <= 0) return false
    await purgeRemoved(owner, excess)
    return (await sum(owner)) > quotaBytes
  }

  function settle<Result>(owner: string, store: () => Promise<Result>, release: () => Promise<void>): Promise<Result> {
    return runExclusive(owner, async () => {
      const result = await store()
      await release()
      return result
    })
  }

  return {
    readUsage: sum,
    maxBytes: quotaBytes,
    hold: (owner, release) => ({
      resize: async () => undefined,
      settle: (store) => settle(owner, store, release),
      release: async () => undefined,
    }),
    async reserve(owner, bytes) {
      const id = new Types.ObjectId()
      const ownerId = toObjectId(owner)
      let held = 0
      const renewal = setInterval(() => void renew().catch(() => undefined), renewMs).unref()

      async function renew() {
        await reservations.updateOne({ _id: id }, { $set: { expiresAt: await readExpiry(connection) } })
      }

      async function write(size: number) {
        const expiresAt = await readExpiry(connection)
        await reservations.updateOne({ _id: id }, { $set: { ownerId, bytes: size, expiresAt } }, { upsert: true })
      }

      async function resize(size: number) {
        await write(size)
        if (size > held && (await isOver(owner))) {
          await write(held)
          throw storageFullError()
        }
        held = size
      }

      async function release() {
        clearInterval(renewal)
        await reservations.deleteOne({ _id: id })
      }

      const reservation: Reservation = {
        resize: (size) => runExclusive(owner, () => resize(size)),
        settle: (store) => settle(owner, store, release),
        release,
      }
      try {
        await reservation.resize(bytes)
        return reservation
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

async function readExpiry(connection: DatabaseConnection): Promise<Date> {
  return new Date((await readDatabaseTime(connection)).getTime() + leaseMs)
}

const unlimited: Reservation = {
  resize: async () => undefined,
  settle: (store) => store(),
  release: async () => undefined,
}

function storageFullError(): AppError {
  return new AppError('disk_full', 'Your storage is full', { help: 'Delete recordings you no longer need.' })
}

/** The reservations of one database connection. */
export function reservationModel(connection: Connection): Model<ReservationDocument> {
  return modelOf<ReservationDocument>(connection, 'Reservation', schema, 'reservations')
}
