import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { setAndClose } from './close-library.ts'
import { userModel, type LibraryClosure, type PendingTwoFactor, type TwoFactor } from './user-model.ts'

/** The second factor of users. Each write is conditional on the state it changes and returns whether it happened. */
export function createUserFactors(connection: Connection) {
  const users = userModel(connection)

  /** Stores an unconfirmed factor, replacing any earlier one; only where none is enabled. */
  async function setPending(userId: string, pendingTwoFactor: PendingTwoFactor): Promise<boolean> {
    const filter = { _id: toObjectId(userId), twoFactor: null }
    const { matchedCount } = await users.updateOne(filter, { $set: { pendingTwoFactor } })
    return matchedCount === 1
  }

  /** Enables the pending factor, and uses up the time step of the code that confirmed it; a printed code has no time step. */
  async function enable(
    userId: string,
    { pending, twoFactor, totpStep }: { pending: PendingTwoFactor; twoFactor: TwoFactor; totpStep?: number },
  ): Promise<boolean> {
    const { matchedCount } = await users.updateOne(
      // Identifies this pending factor: sealing the same codes twice gives different texts.
      { _id: toObjectId(userId), twoFactor: null, 'pendingTwoFactor.sealedCodes': pending.sealedCodes },
      { $set: { twoFactor, pendingTwoFactor: null, ...(totpStep !== undefined && { lastTotpStep: totpStep }) } },
    )
    return matchedCount === 1
  }

  /** Uses up a time step. Returns false if it or a later one has already been used. */
  async function consumeTotpStep(userId: string, step: number): Promise<boolean> {
    const { matchedCount } = await users.updateOne(
      { _id: toObjectId(userId), lastTotpStep: { $lt: step } },
      { $set: { lastTotpStep: step } },
    )
    return matchedCount === 1
  }

  /** Removes the hash of a backup code. Returns false if it is not there. */
  async function consumeBackupHash(userId: string, hash: string): Promise<boolean> {
    const { modifiedCount } = await users.updateOne(
      { _id: toObjectId(userId), 'twoFactor.backupHashes': hash },
      { $pull: { 'twoFactor.backupHashes': hash } },
    )
    return modifiedCount === 1
  }

  async function replaceBackupHashes(
    userId: string,
    { backupSalt, backupHashes }: Omit<TwoFactor, 'secret'>,
  ): Promise<boolean> {
    const { matchedCount } = await users.updateOne(
      { _id: toObjectId(userId), twoFactor: { $ne: null } },
      { $set: { 'twoFactor.backupSalt': backupSalt, 'twoFactor.backupHashes': backupHashes } },
    )
    return matchedCount === 1
  }

  /** Removes the second factor. With `closure`, closes the library in the same write. */
  async function clear(userId: string, closure?: LibraryClosure): Promise<void> {
    const none = { twoFactor: null, pendingTwoFactor: null }
    const change = closure ? setAndClose(none, closure) : { $set: none }
    await users.updateOne({ _id: toObjectId(userId) }, change, { updatePipeline: true })
  }

  return { setPending, enable, consumeTotpStep, consumeBackupHash, replaceBackupHashes, clear }
}

export type UserFactors = ReturnType<typeof createUserFactors>
