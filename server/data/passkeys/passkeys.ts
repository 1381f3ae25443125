import { type Connection, Schema, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxPasskeys } from '#contract/endpoints/passkeys.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { findFreeSlots, insertInSlot, type SlotLimit, addSlots, type SlottedDocument } from '../slots.ts'

export interface PasskeyRecord extends Omit<PasskeyDocument, '_id' | 'userId' | 'slot'> {
  id: string
  ownerId: string
}

export type NewPasskey = Omit<PasskeyRecord, 'id' | 'lastUsedAt'>

interface PasskeyUse {
  counter: number
  isBackedUp: boolean
  at: Date
}

/** A passkey: the public half of a key pair that a device or a password manager keeps (WebAuthn Level 3, section 4, "credential record"). */
interface PasskeyDocument extends SlottedDocument {
  userId: Types.ObjectId
  /** The credential id that the authenticator chose, base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  /** The signature counter of the last use; 0 for authenticators that do not count, such as those that sync passkeys between devices. */
  counter: number
  /** How the browser reaches the authenticator, as it reported: `internal`, `hybrid`, `usb` and so on. */
  transports: string[]
  name: string
  /** Whether the authenticator may copy it to other devices, and whether it has. */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

const schema = new Schema<PasskeyDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    credentialId: { type: String, required: true },
    publicKey: { type: String, required: true },
    counter: { type: Number, required: true },
    transports: { type: [String], default: [] },
    name: { type: String, required: true },
    isBackupEligible: { type: Boolean, required: true },
    isBackedUp: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    slot: { type: Number },
  },
  { versionKey: false },
)
schema.index({ credentialId: 1 }, { unique: true })
schema.index({ userId: 1, _id: 1 })
addSlots(schema, ['userId'])

/** Reads and writes passkeys. */
export function createPasskeyRepository(connection: Connection) {
  const passkeys = passkeyModel(connection)

  const own = ({ id, ownerId }: Pick<PasskeyRecord, 'id' | 'ownerId'>) => ({
    _id: toObjectId(id),
    userId: toObjectId(ownerId),
  })

  /** Returns the passkeys of an owner, oldest first. */
  async function list(ownerId: string): Promise<PasskeyRecord[]> {
    const found = await passkeys
      .find({ userId: toObjectId(ownerId) })
      .sort({ _id: 1 })
      .limit(maxPasskeys)
      .lean<PasskeyDocument[]>()
    return found.map(toRecord)
  }

  async function count(ownerId: string): Promise<number> {
    return passkeys.countDocuments({ userId: toObjectId(ownerId) })
  }

  /** Returns the passkey with a credential id, whatever its owner: a sign-in names no user. */
  async function findByCredential(credentialId: string): Promise<PasskeyRecord | undefined> {
    const found = await passkeys.findOne({ credentialId: { $eq: credentialId } }).lean<PasskeyDocument>()
    return found ? toRecord(found) : undefined
  }

  async function exists(passkey: Pick<PasskeyRecord, 'id' | 'ownerId'>): Promise<boolean> {
    return (await passkeys.exists(own(passkey))) !== null
  }

  function limitOf(ownerId: string): SlotLimit<PasskeyDocument> {
    return { model: passkeys, scope: { userId: toObjectId(ownerId) }, max: maxPasskeys, fullError: tooManyPasskeys }
  }

  /** Throws `conflict` where the owner has the maximum number of passkeys. */
  async function assertRoom(ownerId: string): Promise<void> {
    if ((await findFreeSlots(limitOf(ownerId), 1)).length === 0) throw tooManyPasskeys()
  }

  /**
   * Stores a passkey. Returns undefined where its credential id is already known, whatever its owner. Throws `conflict` where the
   * owner has the maximum number of passkeys.
   */
  async function insert({ ownerId, ...fields }: NewPasskey): Promise<PasskeyRecord | undefined> {
    try {
      const document = { ...fields, userId: toObjectId(ownerId) }
      const created = await insertInSlot(limitOf(ownerId), (slot) => passkeys.create({ ...document, slot }))
      return toRecord(created.toObject())
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
  }

  /**
   * Records a use, unless its counter is not above that of the last use; authenticators that do not count always send 0 (WebAuthn
   * Level 3, section 6.1.1). Returns whether it was recorded.
   */
  async function recordUse(
    passkey: Pick<PasskeyRecord, 'id' | 'ownerId'>,
    { counter, isBackedUp, at }: PasskeyUse,
  ): Promise<boolean> {
    const { matchedCount } = await passkeys.updateOne(
      { ...own(passkey), counter: counter === 0 ? 0 : { $lt: counter } },
      { $set: { counter, isBackedUp, lastUsedAt: at } },
    )
    return matchedCount === 1
  }

  async function rename(
    passkey: Pick<PasskeyRecord, 'id' | 'ownerId'>,
    name: string,
  ): Promise<PasskeyRecord | undefined> {
    const changed = await passkeys
      .findOneAndUpdate(own(passkey), { $set: { name } }, { returnDocument: 'after' })
      .lean<PasskeyDocument>()
    return changed ? toRecord(changed) : undefined
  }

  /** Deletes a passkey and returns it. */
  async function remove(passkey: Pick<PasskeyRecord, 'id' | 'ownerId'>): Promise<PasskeyRecord | undefined> {
    const removed = await passkeys.findOneAndDelete(own(passkey)).lean<PasskeyDocument>()
    return removed ? toRecord(removed) : undefined
  }

  async function removeByOwner(ownerId: string): Promise<void> {
    await passkeys.deleteMany({ userId: toObjectId(ownerId) })
  }

  return { list, count, assertRoom, findByCredential, exists, insert, recordUse, rename, remove, removeByOwner }
}

export type PasskeyRepository = ReturnType<typeof createPasskeyRepository>

function tooManyPasskeys(): AppError {
  return new AppError('conflict', `You have ${maxPasskeys} passkeys. Please remove one that you no longer use.`)
}

function toRecord({ _id, userId, slot: _slot, ...fields }: PasskeyDocument): PasskeyRecord {
  return { ...fields, id: _id.toHexString(), ownerId: userId.toHexString() }
}

export function passkeyModel(connection: Connection) {
  return modelOf<PasskeyDocument>(connection, 'Passkey', schema, 'passkeys')
}
