import { Types, type Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { Role } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import { userModel, type UserDoc } from '#data/users/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { ownOrigin } from '../audit/service.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import { createUserLists } from './lists.ts'
import { createUserNames, emailTaken, usernameTaken } from './names.ts'
import { usernameKey } from './username-key.ts'

export interface NewUser {
  email: string
  username: string
  password: string
  firstName: string
  lastName: string
  role: Role
  isActive: boolean
  isVerified: boolean
  /** Somebody else chose the password: it must be changed at the first sign-in, and ends after TEMPORARY_PASSWORD_DAYS. */
  mustChangePassword?: boolean
  /** One sign-in without the second factor that the server asks for. Default false. */
  hasTwoFactorGrace?: boolean
}

interface UsersDeps {
  connection: Connection
  clock: Clock
  hasher: PasswordHasher
  temporaryPasswordDays: number
}

const dayMs = 24 * 60 * 60_000

/** Reading and writing users. Who may do so is decided by the callers. */
export function createUsers({ connection, clock, hasher, temporaryPasswordDays }: UsersDeps) {
  const users = userModel(connection)

  function passwordEnd(isTemporary: boolean): Date | null {
    return isTemporary ? new Date(clock.now() + temporaryPasswordDays * dayMs) : null
  }

  async function findById(id: string): Promise<UserDoc | null> {
    return users.findOne({ _id: new Types.ObjectId(id) }).lean<UserDoc>()
  }

  /** @throws AppError `not_found` */
  async function get(id: string): Promise<UserDoc> {
    const user = await findById(id)
    if (!user) throw new AppError('not_found', 'User not found')
    return user
  }

  async function findByEmail(email: string): Promise<UserDoc | null> {
    return users.findOne({ email: { $eq: email } }).lean<UserDoc>()
  }

  /** @throws AppError `email_taken` or `username_taken` */
  async function create(input: NewUser, origin: RequestOrigin = ownOrigin): Promise<UserDoc> {
    if (await users.exists({ email: { $eq: input.email } })) throw emailTaken()
    await requireFreeUsername(input.username)
    const { password, hasTwoFactorGrace = false, mustChangePassword = false, ...fields } = input
    const passwordHash = await hasher.hash(password, { address: origin.ip, account: input.email })
    try {
      const created = await users.create({
        ...fields,
        usernameKey: usernameKey(input.username),
        passwordHash,
        mustChangePassword,
        passwordExpiresAt: passwordEnd(mustChangePassword),
        twoFactorGrace: hasTwoFactorGrace ? 'next_sign_in' : null,
        createdAt: new Date(clock.now()),
      })
      return created.toObject()
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw emailTaken()
      if (isDuplicateKey(error, 'usernameKey')) throw usernameTaken()
      throw error
    }
  }

  /** @throws AppError `not_found` */
  async function update(id: string, fields: Partial<Omit<UserDoc, '_id'>>): Promise<UserDoc> {
    const changed = await users
      .findOneAndUpdate({ _id: new Types.ObjectId(id) }, { $set: fields }, { returnDocument: 'after' })
      .lean<UserDoc>()
    if (!changed) throw new AppError('not_found', 'User not found')
    return changed
  }

  const { isUsernameFree, requireFreeUsername, rename, changeEmail } = createUserNames({ users, update })

  async function setPassword(
    id: string,
    password: string,
    { mustChange, origin }: { mustChange: boolean; origin: RequestOrigin },
  ): Promise<UserDoc> {
    const passwordHash = await hasher.hash(password, { address: origin.ip, account: id })
    return update(id, { passwordHash, mustChangePassword: mustChange, passwordExpiresAt: passwordEnd(mustChange) })
  }

  /** Keeps another hash of the same password; nothing where the password was changed meanwhile. */
  async function replaceHash({ _id, passwordHash }: UserDoc, newHash: string): Promise<void> {
    await users.updateOne({ _id, passwordHash: { $eq: passwordHash } }, { $set: { passwordHash: newHash } })
  }

  async function countActiveSuperAdmins(): Promise<number> {
    return users.countDocuments({ role: 'super_admin', isActive: true })
  }

  async function remove(id: string): Promise<void> {
    await users.deleteOne({ _id: new Types.ObjectId(id) })
  }

  return {
    findById,
    get,
    findByEmail,
    isUsernameFree,
    create,
    rename,
    changeEmail,
    update,
    setPassword,
    replaceHash,
    ...createUserLists(connection),
    countActiveSuperAdmins,
    remove,
  }
}

export type Users = ReturnType<typeof createUsers>
