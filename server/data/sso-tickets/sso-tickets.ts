import type { Connection } from 'mongoose'
import { isDuplicateKey } from '../model.ts'
import { ssoTicketModel, type SsoTicketDocument } from './sso-ticket-model.ts'

export interface SsoTicketRecord extends Omit<SsoTicketDocument, '_id'> {
  hash: string
}

/** The ticket of one browser. */
export type SsoTicketKey = Pick<SsoTicketRecord, 'hash' | 'bindingHash'>

/** Stores what is used once. */
export function createSsoTicketRepository(connection: Connection) {
  const tickets = ssoTicketModel(connection)

  /** Stores a ticket; false where there is one already. */
  async function insert({ hash, ...fields }: SsoTicketRecord): Promise<boolean> {
    try {
      await tickets.create({ ...fields, _id: hash })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** Returns a ticket that is valid at `now`. */
  async function find(key: SsoTicketKey, now: Date): Promise<SsoTicketRecord | undefined> {
    const found = await tickets.findOne({ ...toFilter(key), expiresAt: { $gt: now } }).lean<SsoTicketDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Removes and returns a ticket that is valid at `now`. Another browser's stays. */
  async function consume(key: SsoTicketKey, now: Date): Promise<SsoTicketRecord | undefined> {
    const found = await tickets
      .findOneAndDelete({ ...toFilter(key), expiresAt: { $gt: now } })
      .lean<SsoTicketDocument>()
    return found ? toRecord(found) : undefined
  }

  return { insert, find, consume }
}

export type SsoTicketRepository = ReturnType<typeof createSsoTicketRepository>

function toFilter({ hash, bindingHash }: SsoTicketKey) {
  return { _id: hash, bindingHash: { $eq: bindingHash } }
}

function toRecord({ _id, ...fields }: SsoTicketDocument): SsoTicketRecord {
  return { ...fields, hash: _id }
}
