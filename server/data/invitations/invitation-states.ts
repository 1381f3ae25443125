import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { invitationModel, type InvitationDocument } from './invitation-model.ts'
import { toInvitationRecord, type InvitationRecord } from './invitation-record.ts'

/** Ends, accepts and renews invitations. */
export function createInvitationStates(connection: Connection) {
  const invitations = invitationModel(connection)

  /** Stops expired invitations from blocking new ones to the same addresses. */
  async function freeExpired(emails: string[], now: Date): Promise<void> {
    await invitations.updateMany({ openEmail: { $in: emails }, expiresAt: { $lte: now } }, { $unset: { openEmail: 1 } })
  }

  /** Ends pending invitations. */
  async function close(
    ids: string[],
    status: 'accepted' | 'revoked',
    fields: Pick<InvitationDocument, 'acceptedAt'>,
  ): Promise<number> {
    if (ids.length === 0) return 0
    const { modifiedCount } = await invitations.updateMany(
      { _id: { $in: ids.map(toObjectId) }, status: 'open' },
      { $set: { status, ...fields }, $unset: { openEmail: 1, mailDueAt: 1 } },
    )
    return modifiedCount
  }

  /**
   * Marks an invitation as accepted by the person who has its newest link. Returns false where it was revoked or mailed again in the
   * meantime. Creating the new account may already have closed it.
   */
  async function accept(
    { id, tokenHash }: Pick<InvitationRecord, 'id' | 'tokenHash'>,
    acceptedAt: Date,
  ): Promise<boolean> {
    const { matchedCount } = await invitations.updateOne(
      { _id: toObjectId(id), tokenHash: { $eq: tokenHash }, status: { $in: ['open', 'accepted'] } },
      { $set: { status: 'accepted', acceptedAt }, $unset: { openEmail: 1, mailDueAt: 1 } },
    )
    return matchedCount === 1
  }

  /** Renews an open invitation, voiding its earlier links. Returns undefined where it cannot be renewed. */
  async function reopen(
    id: string,
    email: string,
    fields: Pick<InvitationRecord, 'inviterId' | 'inviterName' | 'sentAt' | 'expiresAt' | 'mailDueAt' | 'removeAt'>,
  ): Promise<InvitationRecord | undefined> {
    await freeExpired([email], fields.sentAt)
    const { inviterId, ...rest } = fields
    const changed = { ...rest, openEmail: email, inviterId: inviterId === null ? null : toObjectId(inviterId) }
    try {
      const found = await invitations
        .findOneAndUpdate(
          { _id: toObjectId(id), status: 'open' },
          { $set: changed, $unset: { tokenHash: 1 } },
          { returnDocument: 'after' },
        )
        .lean<InvitationDocument>()
      return found ? toInvitationRecord(found) : undefined
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
  }

  return { freeExpired, close, accept, reopen }
}
