import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** What a browser shows once: the `state` of an attempt at an OpenID provider, a ticket for a session; or the id of a logout token. */
export interface SsoTicketDocument {
  /** Hash of its kind and of what is shown. */
  _id: string
  /** Hash of the cookie of the browser that it was given to; empty for a logout token, which no browser has. */
  bindingHash: string
  /** What the server must remember until then, encrypted with its key: codes, names, the provider's token. */
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

export function ssoTicketModel(connection: Connection) {
  return modelOf<SsoTicketDocument>(connection, 'SsoTicket', schema, 'sso_tickets')
}
