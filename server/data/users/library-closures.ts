import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { userModel } from './user-model.ts'
import type { UserRecord } from './user-record.ts'

/** Opens the libraries of users. The write is conditional on the state it changes and returns whether it happened. */
export function createLibraryClosureRepository(connection: Connection) {
  const users = userModel(connection)

  /**
   * Opens the library if the account still has the address of `user`; with `restored`, that address is replaced in the same write, and a
   * pending one is dropped. Throws a duplicate key error (`isDuplicateKey`) where another account has the address.
   */
  async function open(
    { id, email }: Pick<UserRecord, 'id' | 'email'>,
    restored?: Pick<UserRecord, 'email' | 'isVerified'>,
  ): Promise<boolean> {
    const { modifiedCount } = await users.updateOne(
      { _id: toObjectId(id), email: { $eq: email }, libraryClosure: { $ne: null } },
      { $set: { libraryClosure: null, ...(restored && { ...restored, pendingEmail: null }) } },
    )
    return modifiedCount === 1
  }

  return { open }
}

export type LibraryClosureRepository = ReturnType<typeof createLibraryClosureRepository>
