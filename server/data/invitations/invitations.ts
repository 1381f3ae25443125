import type { Connection, QueryFilter } from 'mongoose'
import type { InvitationState } from '#contract/entities/invitation.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, literalPattern } from '../model.ts'
import { invitationModel, type InvitationDocument } from './invitation-model.ts'
import { createInvitationStates } from './invitation-states.ts'
import { toInvitationRecord, type InvitationRecord } from './invitation-record.ts'

export type NewInvitation = Omit<InvitationRecord, 'openEmail' | 'tokenHash' | 'acceptedAt'>

interface InvitationQuery {
  search: string
  state: InvitationState | ''
  page: number
  per_page: number
}

type Filter = QueryFilter<InvitationDocument>

const maxOpen = 20_000

/** Reads and writes invitations. */
export function createInvitationRepository(connection: Connection) {
  const invitations = invitationModel(connection)
  const states = createInvitationStates(connection)

  /** Stores invitations. Stores none and returns false where an address has already been invited. */
  async function insert(added: NewInvitation[], now: Date): Promise<boolean> {
    await states.freeExpired(
      added.map(({ email }) => email),
      now,
    )
    const documents = added.map(({ id, inviterId, ...fields }) => ({
      ...fields,
      _id: toObjectId(id),
      inviterId: inviterId === null ? null : toObjectId(inviterId),
      openEmail: fields.email,
    }))
    try {
      await invitations.insertMany(documents, { ordered: true })
      return true
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      await invitations.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } })
      return false
    }
  }

  async function list(query: InvitationQuery, now: Date): Promise<{ total: number; rows: InvitationRecord[] }> {
    const { page, per_page: perPage } = query
    const filter = toFilter(query, now)
    const [total, rows] = await Promise.all([
      invitations.countDocuments(filter),
      invitations
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<InvitationDocument[]>(),
    ])
    return { total, rows: rows.map(toInvitationRecord) }
  }

  async function countPending(now: Date): Promise<number> {
    return invitations.countDocuments(stateFilter('pending', now))
  }

  /** Returns an invitation; those of an incomplete import are not found. */
  async function findById(id: string): Promise<InvitationRecord | undefined> {
    const found = await invitations.findOne({ _id: toObjectId(id), ...isStored }).lean<InvitationDocument>()
    return found ? toInvitationRecord(found) : undefined
  }

  /** Returns invitations by their ids; those that do not exist are missing. */
  async function findByIds(ids: string[]): Promise<Map<string, InvitationRecord>> {
    if (ids.length === 0) return new Map()
    const filter = { _id: { $in: ids.map(toObjectId) }, ...isStored }
    const found = await invitations.find(filter).lean<InvitationDocument[]>()
    return new Map(found.map((document) => [document._id.toHexString(), toInvitationRecord(document)]))
  }

  /** Returns the pending invitation to an address. */
  async function findPendingByEmail(email: string, now: Date): Promise<InvitationRecord | undefined> {
    const filter: Filter = { openEmail: { $eq: email }, ...stateFilter('pending', now) }
    const found = await invitations.findOne(filter).lean<InvitationDocument>()
    return found ? toInvitationRecord(found) : undefined
  }

  /** Returns the pending invitation whose newest link has this token. */
  async function findByToken(tokenHash: string, now: Date): Promise<InvitationRecord | undefined> {
    const found = await invitations
      .findOne({ tokenHash: { $eq: tokenHash }, status: 'open', expiresAt: { $gt: now } })
      .lean<InvitationDocument>()
    return found ? toInvitationRecord(found) : undefined
  }

  /** Returns the pending invitations, oldest first. */
  async function listPending(now: Date): Promise<InvitationRecord[]> {
    const found = await invitations
      .find(stateFilter('pending', now))
      .sort({ createdAt: 1, _id: 1 })
      .limit(maxOpen)
      .lean<InvitationDocument[]>()
    return found.map(toInvitationRecord)
  }

  /** Returns which of the addresses have a pending invitation. */
  async function findInvited(emails: string[], now: Date): Promise<Set<string>> {
    const found = await invitations
      .find({ openEmail: { $in: emails }, expiresAt: { $gt: now } }, { openEmail: 1 })
      .lean<Pick<InvitationDocument, 'openEmail'>[]>()
    return new Set(found.map(({ openEmail }) => openEmail ?? ''))
  }

  async function removeByEmail(email: string): Promise<void> {
    await invitations.deleteMany({ email: { $eq: email } })
  }

  return {
    insert,
    list,
    countPending,
    findById,
    findByIds,
    findPendingByEmail,
    findByToken,
    listPending,
    findInvited,
    close: states.close,
    accept: states.accept,
    reopen: states.reopen,
    removeByEmail,
  }
}

export type InvitationRepository = ReturnType<typeof createInvitationRepository>

const isStored: Filter = { status: { $in: ['open', 'accepted', 'revoked'] } }

function stateFilter(state: InvitationState | '', now: Date): Filter {
  if (state === 'pending') return { status: 'open', expiresAt: { $gt: now } }
  if (state === 'expired') return { status: 'open', expiresAt: { $lte: now } }
  return state === '' ? isStored : { status: state }
}

function toFilter({ search, state }: InvitationQuery, now: Date): Filter {
  const pattern = literalPattern(search)
  return {
    ...stateFilter(state, now),
    ...(search && { $or: [{ email: pattern }, { firstName: pattern }, { lastName: pattern }] }),
  }
}
