import { Types, type Model } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import { usernameKey } from './username-key.ts'

type NameChange = Partial<Pick<UserDoc, 'firstName' | 'lastName' | 'username'>>

export const usernameTaken = () =>
  new AppError('username_taken', 'Username already taken', { details: ['Username already taken'] })
export const emailTaken = () =>
  new AppError('email_taken', 'Email already registered', { details: ['Email already registered'] })

interface UserNamesDeps {
  users: Pick<Model<UserDoc>, 'exists'>
  update: (id: string, fields: Partial<Omit<UserDoc, '_id'>>) => Promise<UserDoc>
}

/** Usernames and addresses, which one account alone can have. */
export function createUserNames({ users, update }: UserNamesDeps) {
  /** Asks for the lowercase name too, which is the key of users of before look-alikes counted. */
  async function isUsernameFree(username: string, exceptId?: string): Promise<boolean> {
    const keys = [usernameKey(username), username.toLowerCase()]
    const taken = await users.exists({
      usernameKey: { $in: keys },
      ...(exceptId && { _id: { $ne: new Types.ObjectId(exceptId) } }),
    })
    return taken === null
  }

  async function requireFreeUsername(username: string, exceptId?: string): Promise<void> {
    if (!(await isUsernameFree(username, exceptId))) throw usernameTaken()
  }

  /** @throws AppError `username_taken` */
  async function rename(id: string, change: NameChange): Promise<UserDoc> {
    if (change.username !== undefined) await requireFreeUsername(change.username, id)
    const fields = { ...change, ...(change.username !== undefined && { usernameKey: usernameKey(change.username) }) }
    try {
      return await update(id, fields)
    } catch (error) {
      if (isDuplicateKey(error, 'usernameKey')) throw usernameTaken()
      throw error
    }
  }

  /** Gives another address, which is not verified yet. @throws AppError `email_taken` */
  async function changeEmail(id: string, email: string): Promise<UserDoc> {
    if (await users.exists({ email: { $eq: email } })) throw emailTaken()
    try {
      return await update(id, { email, isVerified: false })
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw emailTaken()
      throw error
    }
  }

  return { isUsernameFree, requireFreeUsername, rename, changeEmail }
}
