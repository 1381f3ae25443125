import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { setAndClose } from './close-library.ts'
import { sortNameOf } from './name-order.ts'
import { userModel, type LibraryClosure, type UserDocument } from './user-model.ts'
import { toUserRecord, type UserRecord } from './user-record.ts'

export type NewUserRecord = Omit<
  UserRecord,
  'id' | 'sortName' | 'twoFactor' | 'pendingTwoFactor' | 'lastTotpStep' | 'lastLoginAt'
>
export type UserFields = Partial<Omit<UserRecord, 'id' | 'sortName'>>

/** The user data that a request needs: no hash and no secret. */
export type RequestUserRecord = Omit<UserRecord, 'passwordHash' | 'pendingTwoFactor' | 'libraryClosure'> & {
  libraryClosure?: Omit<LibraryClosure, 'former'> | null
}

/** The fields of a user that a request needs. */
export const requestUserFields = { passwordHash: 0, pendingTwoFactor: 0, 'libraryClosure.former': 0 } as const

/** Reads and writes users. Writing a taken e-mail address or username throws a duplicate key error (`isDuplicateKey`). */
export function createUserRepository(connection: Connection) {
  const users = userModel(connection)

  async function findById(id: string): Promise<UserRecord | undefined> {
    const found = await users.findOne({ _id: toObjectId(id) }).lean<UserDocument>()
    return found ? toUserRecord(found) : undefined
  }

  async function findByEmail(email: string): Promise<UserRecord | undefined> {
    const found = await users.findOne({ email: { $eq: email } }).lean<UserDocument>()
    return found ? toUserRecord(found) : undefined
  }

  async function findActiveForRequest(id: string): Promise<RequestUserRecord | undefined> {
    const found = await users.findOne({ _id: toObjectId(id), isActive: true }, requestUserFields).lean<UserDocument>()
    return found ? toUserRecord(found) : undefined
  }

  async function hasAny(): Promise<boolean> {
    return (await users.exists({})) !== null
  }

  async function isActive(id: string): Promise<boolean> {
    return (await users.exists({ _id: toObjectId(id), isActive: true })) !== null
  }

  async function hasEmail(email: string): Promise<boolean> {
    return (await users.exists({ email: { $eq: email } })) !== null
  }

  /** Returns whether a user, other than `exceptId`, has one of these username keys. */
  async function hasUsernameKey(keys: string[], exceptId?: string): Promise<boolean> {
    const found = await users.exists({
      usernameKey: { $in: keys },
      ...(exceptId && { _id: { $ne: toObjectId(exceptId) } }),
    })
    return found !== null
  }

  async function insert(user: NewUserRecord): Promise<UserRecord> {
    const created = await users.create({ ...user, sortName: sortNameOf(user) })
    return toUserRecord(created.toObject())
  }

  /** Changes fields of a user. With `closure`, closes the library in the same write. */
  async function update(id: string, fields: UserFields, closure?: LibraryClosure): Promise<UserRecord | undefined> {
    const change = closure ? setAndClose(fields, closure) : { $set: fields }
    const changed = await users
      .findOneAndUpdate({ _id: toObjectId(id) }, change, { returnDocument: 'after', updatePipeline: true })
      .lean<UserDocument>()
    if (!changed) return undefined
    const renamed = [fields.firstName, fields.lastName, fields.username].some((name) => name !== undefined)
    if (renamed) await storeSortName(changed)
    return toUserRecord(changed)
  }

  /** Stores the sort name, conditional on the names, so that of two simultaneous changes the later one counts. */
  async function storeSortName({ _id, firstName, lastName, username }: UserDocument): Promise<void> {
    const names = { firstName, lastName, username }
    await users.updateOne({ _id, ...names }, { $set: { sortName: sortNameOf(names) } })
  }

  /** Replaces the password hash unless it has changed since the record was read. */
  async function replaceHash({ id, passwordHash }: Pick<UserRecord, 'id' | 'passwordHash'>, newHash: string) {
    await users.updateOne(
      { _id: toObjectId(id), passwordHash: { $eq: passwordHash } },
      { $set: { passwordHash: newHash } },
    )
  }

  /** Stores the language chosen by the user; writes only if it has changed. */
  async function storeLanguage(id: string, language: string): Promise<void> {
    await users.updateOne({ _id: toObjectId(id), language: { $ne: language } }, { $set: { language } })
  }

  async function countActiveSuperAdmins(): Promise<number> {
    return users.countDocuments({ role: 'super_admin', isActive: true })
  }

  async function remove(id: string): Promise<void> {
    await users.deleteOne({ _id: toObjectId(id) })
  }

  return {
    findById,
    findByEmail,
    findActiveForRequest,
    hasAny,
    isActive,
    hasEmail,
    hasUsernameKey,
    insert,
    update,
    replaceHash,
    storeLanguage,
    countActiveSuperAdmins,
    remove,
  }
}

export type UserRepository = ReturnType<typeof createUserRepository>
