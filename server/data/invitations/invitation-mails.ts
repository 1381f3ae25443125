import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { invitationModel, type InvitationDocument } from './invitation-model.ts'
import { toInvitationRecord, type InvitationRecord } from './invitation-record.ts'

/** Tracks which invitations must be mailed and which imports are incomplete. */
export function createInvitationMails(connection: Connection) {
  const invitations = invitationModel(connection)

  /** Claims the invitation that has been due for longest. No other server mails it before `leaseUntil`. */
  async function claim(now: Date, leaseUntil: Date): Promise<InvitationRecord | undefined> {
    const found = await invitations
      .findOneAndUpdate(
        { mailDueAt: { $lte: now }, status: 'open', expiresAt: { $gt: now } },
        { $set: { mailDueAt: leaseUntil } },
        { sort: { mailDueAt: 1 }, returnDocument: 'after' },
      )
      .lean<InvitationDocument>()
    return found ? toInvitationRecord(found) : undefined
  }

  /** Returns when the next invitation must be mailed and when the oldest incomplete import began, null if there is none. */
  async function readNext(now: Date): Promise<{ mailDueAt: Date | null; stagedAt: Date | null }> {
    const [due, staged] = await Promise.all([
      invitations
        .findOne({ mailDueAt: { $gt: new Date(0) }, status: 'open', expiresAt: { $gt: now } }, { mailDueAt: 1 })
        .sort({ mailDueAt: 1 })
        .lean<Pick<InvitationDocument, 'mailDueAt'>>(),
      invitations
        .findOne({ status: 'staged' }, { createdAt: 1 })
        .sort({ createdAt: 1 })
        .lean<Pick<InvitationDocument, 'createdAt'>>(),
    ])
    return { mailDueAt: due?.mailDueAt ?? null, stagedAt: staged?.createdAt ?? null }
  }

  /** Sets the link of an open invitation, which voids earlier ones. Returns false if the invitation is no longer open. */
  async function setToken(id: string, tokenHash: string, sentAt: Date): Promise<boolean> {
    const { matchedCount } = await invitations.updateOne(
      { _id: toObjectId(id), status: 'open' },
      { $set: { tokenHash, sentAt } },
    )
    return matchedCount === 1
  }

  /** Records that the mail with this link was stored. */
  async function recordMailed(id: string, tokenHash: string): Promise<void> {
    await invitations.updateOne({ _id: toObjectId(id), tokenHash: { $eq: tokenHash } }, { $unset: { mailDueAt: 1 } })
  }

  /**
   * Completes an import whose invitations are all stored. The first invitation is opened in a separate write, which commits the import:
   * after a crash, `settleImports` opens the rest.
   */
  async function completeImport(batchId: string, firstId: string, mailDueAt: Date): Promise<void> {
    await invitations.updateOne({ _id: toObjectId(firstId) }, { $set: { status: 'open', mailDueAt } })
    await open(batchId, mailDueAt)
  }

  async function open(batchId: string, mailDueAt: Date): Promise<void> {
    await invitations.updateMany(
      { batchId: { $eq: batchId }, status: 'staged' },
      { $set: { status: 'open', mailDueAt } },
    )
  }

  /** Completes imports that were interrupted after their commit, and removes those interrupted before it. */
  async function settleImports(startedBefore: Date, mailDueAt: Date): Promise<void> {
    const staged = await invitations
      .find({ status: 'staged', createdAt: { $lt: startedBefore } }, { batchId: 1 })
      .lean<Pick<InvitationDocument, 'batchId'>[]>()
    for (const batchId of new Set(staged.map(({ batchId: id }) => id ?? ''))) {
      const isDecided = (await invitations.exists({ batchId: { $eq: batchId }, status: { $ne: 'staged' } })) !== null
      if (isDecided) await open(batchId, mailDueAt)
      else await invitations.deleteMany({ batchId: { $eq: batchId }, status: 'staged' })
    }
  }

  return { claim, readNext, setToken, recordMailed, completeImport, settleImports }
}

export type InvitationMails = ReturnType<typeof createInvitationMails>
