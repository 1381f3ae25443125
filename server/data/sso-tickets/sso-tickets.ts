import { type Connection, Schema } from 'mongoose'
import { isDuplicateKey, modelOf } from '../model.ts'

export interface SsoTicketRecord extends Omit<SsoTicketDocument, '_id'> {
  hash: string
}

/** The ticket of one browser. */
export type SsoTicketKey = Pick<SsoTicketRecord, 'hash' | 'bindingHash'>

/** A single-use secret: the `state` of a sign-in at an OpenID provider, or a ticket for a session; or the id of a logout token. */
interface SsoTicketDocument {
  /** Hash of its kind and the presented value. */
  _id: string
  /** Hash of the cookie of the browser that it was issued to; empty for a logout token, which no browser has. */
  bindingHash: string
  /** What the server must remember until it is used, encrypted with the server's key: codes, names, the provider's token. */
  sealed: string
  expiresAt: Date
}

const schema = new Schema<SsoTicketDocument>(
  {
    _id: { type: String, required: true },
    bindingHash: { type: String, default: '' },
    sealed: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Stores single-use tickets. */
export function createSsoTicketRepository(connection: Connection) {
  const tickets = ssoTicketModel(connection)

  /** Stores a ticket. Returns false where it already exists. */
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

  /** Removes and returns a ticket that is valid at `now`. Another browser's ticket stays. */
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

export function ssoTicketModel(connection: Connection) {
  return modelOf<SsoTicketDocument>(connection, 'SsoTicket', schema, 'sso_tickets')
}
