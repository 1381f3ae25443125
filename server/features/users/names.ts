import { AppError } from '#contract/app-error.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { UserFields, UserRepository } from '#data/users/users.ts'
import { usernameKey } from './username-key.ts'

type NameChange = Partial<Pick<UserRecord, 'firstName' | 'lastName' | 'username'>>

export const usernameTaken = () =>
  new AppError('username_taken', 'Username already taken', { details: ['Username already taken'] })
export const emailTaken = () =>
  new AppError('email_taken', 'Email already registered', { details: ['Email already registered'] })

interface UserNamesDeps {
  repository: Pick<UserRepository, 'hasEmail' | 'hasUsernameKey'>
  update: (id: string, fields: UserFields) => Promise<UserRecord>
}

/** Manages usernames and e-mail addresses, each of which can belong to only one account. */
export function createUserNames({ repository, update }: UserNamesDeps) {
  /** Also looks for the lowercase name, which is the key of accounts older than the comparison of look-alikes. */
  async function isUsernameFree(username: string, exceptId?: string): Promise<boolean> {
    return !(await repository.hasUsernameKey([usernameKey(username), username.toLowerCase()], exceptId))
  }

  /** Throws `username_taken`. */
  async function assertUsernameFree(username: string, exceptId?: string): Promise<void> {
    if (!(await isUsernameFree(username, exceptId))) throw usernameTaken()
  }

  /** Throws `email_taken`. */
  async function assertEmailFree(email: string): Promise<void> {
    if (await repository.hasEmail(email)) throw emailTaken()
  }

  /** Changes names. Throws `username_taken`. */
  async function rename(id: string, change: NameChange): Promise<UserRecord> {
    if (change.username !== undefined) await assertUsernameFree(change.username, id)
    const fields = { ...change, ...(change.username !== undefined && { usernameKey: usernameKey(change.username) }) }
    try {
      return await update(id, fields)
    } catch (error) {
      if (isDuplicateKey(error, 'usernameKey')) throw usernameTaken()
      throw error
    }
  }

  return { isUsernameFree, assertUsernameFree, assertEmailFree, rename }
}
