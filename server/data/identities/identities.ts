import { type Connection, Schema, type Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

export interface IdentityRecord {
  providerId: string
  subject: string
  ownerId: string
}

/** Links a person known to a provider to an account. `_id` combines provider and subject, so that a person has only one account. */
interface IdentityDocument {
  _id: string
  providerId: string
  userId: Types.ObjectId
  /** The provider's unchanging id for the person. */
  subject: string
  linkedAt: Date
}

const schema = new Schema<IdentityDocument>(
  {
    _id: { type: String, required: true },
    providerId: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    subject: { type: String, required: true },
    linkedAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ userId: 1 })
schema.index({ providerId: 1 })

const keyOf = ({ providerId, subject }: Pick<IdentityRecord, 'providerId' | 'subject'>) => `${providerId}:${subject}`

/** Stores which account belongs to a person known to an OpenID provider or a directory. */
export function createIdentityRepository(connection: Connection) {
  const identities = identityModel(connection)

  async function find(identity: Pick<IdentityRecord, 'providerId' | 'subject'>): Promise<IdentityRecord | undefined> {
    const found = await identities.findById(keyOf(identity)).lean<IdentityDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Links a person to an account. Returns false where the person already has one. */
  async function link({ providerId, subject, ownerId }: IdentityRecord, linkedAt: Date): Promise<boolean> {
    try {
      const _id = keyOf({ providerId, subject })
      await identities.create({ _id, providerId, subject, userId: toObjectId(ownerId), linkedAt })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  async function listByOwner(ownerId: string): Promise<IdentityRecord[]> {
    const found = await identities.find({ userId: toObjectId(ownerId) }).lean<IdentityDocument[]>()
    return found.map(toRecord)
  }

  async function countByProvider(providerId: string): Promise<number> {
    return identities.countDocuments({ providerId: { $eq: providerId } })
  }

  async function removeByOwner(ownerId: string): Promise<void> {
    await identities.deleteMany({ userId: toObjectId(ownerId) })
  }

  async function removeByProvider(providerId: string): Promise<void> {
    await identities.deleteMany({ providerId: { $eq: providerId } })
  }

  return { find, link, listByOwner, countByProvider, removeByOwner, removeByProvider }
}

export type IdentityRepository = ReturnType<typeof createIdentityRepository>

function toRecord({ providerId, subject, userId }: IdentityDocument): IdentityRecord {
  return { providerId, subject, ownerId: userId.toHexString() }
}

export function identityModel(connection: Connection) {
  return modelOf<IdentityDocument>(connection, 'Identity', schema, 'identities')
}
