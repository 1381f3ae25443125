import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { setAndClose } from './close-library.ts'
import {
  userModel,
  type AppliedEmail,
  type LibraryClosure,
  type PendingEmail,
  type UserDocument,
} from './user-model.ts'
import { toUserRecord, type UserRecord } from './user-record.ts'

/** Addresses requested by administrators. Stopping one and putting one into effect are single writes: whichever comes first counts. */
export function createPendingEmailRepository(connection: Connection) {
  const users = userModel(connection)

  /** Stores an address, replacing any earlier one. Returns undefined where there is no such user. */
  async function store(userId: string, pendingEmail: PendingEmail): Promise<UserRecord | undefined> {
    const changed = await users
      .findOneAndUpdate({ _id: toObjectId(userId) }, { $set: { pendingEmail } }, { returnDocument: 'after' })
      .lean<UserDocument>()
    return changed ? toUserRecord(changed) : undefined
  }

  /**
   * Removes the pending address. Returns the user before the change, or undefined where there is no pending address, or not the one with
   * `stopHash`.
   */
  async function remove(userId: string, stopHash?: string): Promise<UserRecord | undefined> {
    const before = await users
      .findOneAndUpdate(
        { _id: toObjectId(userId), ...(stopHash ? match(stopHash) : { pendingEmail: { $ne: null } }) },
        { $set: { pendingEmail: null } },
      )
      .lean<UserDocument>()
    return before ? toUserRecord(before) : undefined
  }

  /**
   * Makes the pending address the user's, not verified yet, and closes the library unless already closed: in one write, so that neither
   * happens without the other. Follow-up work is kept as `appliedEmail`. Returns the user before the change, or undefined where the address
   * was stopped or replaced in the meantime; throws a duplicate key error (`isDuplicateKey`) where another account has it.
   */
  async function apply(
    userId: string,
    { email, stopHash }: PendingEmail,
    { closure, actor }: { closure: LibraryClosure; actor: AppliedEmail['actor'] },
  ): Promise<UserRecord | undefined> {
    const appliedEmail = {
      email: { $literal: email },
      formerEmail: '$email',
      hasClosed: { $eq: [{ $ifNull: ['$libraryClosure', null] }, null] },
      actor: { $literal: actor },
      at: { $literal: closure.closedAt },
    }
    const before = await users
      .findOneAndUpdate(
        { _id: toObjectId(userId), ...match(stopHash) },
        [{ $set: { appliedEmail } }, ...setAndClose({ email, isVerified: false, pendingEmail: null }, closure)],
        { updatePipeline: true },
      )
      .lean<UserDocument>()
    return before ? toUserRecord(before) : undefined
  }

  /** Returns users whose pending address is due, longest due first. */
  async function listDue(now: Date, limit: number): Promise<UserRecord[]> {
    const found = await users
      .find({ 'pendingEmail.effectiveAt': { $lte: now } })
      .sort({ 'pendingEmail.effectiveAt': 1 })
      .limit(limit)
      .lean<UserDocument[]>()
    return found.map(toUserRecord)
  }

  /** Returns users whose new address took effect before `before` and who still have follow-up work. */
  async function listUnfinished(before: Date, limit: number): Promise<UserRecord[]> {
    const found = await users
      .find({ 'appliedEmail.at': { $lte: before } })
      .sort({ 'appliedEmail.at': 1 })
      .limit(limit)
      .lean<UserDocument[]>()
    return found.map(toUserRecord)
  }

  /** Returns when the next pending address is due, and when the first one with follow-up work left took effect; null for none. */
  async function readNext(): Promise<{ dueAt: Date | null; unfinishedAt: Date | null }> {
    const some = { $gt: new Date(0) }
    const [pending, applied] = await Promise.all([
      users
        .findOne({ 'pendingEmail.effectiveAt': some }, { pendingEmail: 1 })
        .sort({ 'pendingEmail.effectiveAt': 1 })
        .lean<UserDocument>(),
      users
        .findOne({ 'appliedEmail.at': some }, { appliedEmail: 1 })
        .sort({ 'appliedEmail.at': 1 })
        .lean<UserDocument>(),
    ])
    return { dueAt: pending?.pendingEmail?.effectiveAt ?? null, unfinishedAt: applied?.appliedEmail?.at ?? null }
  }

  /** Records that all follow-up work for the address that took effect at `at` is done. */
  async function finish(userId: string, at: Date): Promise<void> {
    await users.updateOne({ _id: toObjectId(userId), 'appliedEmail.at': { $eq: at } }, { $set: { appliedEmail: null } })
  }

  return { store, remove, apply, listDue, listUnfinished, readNext, finish }
}

export type PendingEmailRepository = ReturnType<typeof createPendingEmailRepository>

function match(stopHash: string) {
  return { 'pendingEmail.stopHash': { $eq: stopHash } }
}
