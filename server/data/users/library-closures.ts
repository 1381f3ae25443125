import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { userModel, type LibraryClosure } from './user-model.ts'

/** Closes and opens the libraries of users. Each write is conditional on the state it changes and returns whether it took place. */
export function createLibraryClosureRepository(connection: Connection) {
  const users = userModel(connection)

  /** Keeps the closure that is there: the factors before the first reset are the owner's, later ones may be anybody's. */
  async function close(userId: string, libraryClosure: LibraryClosure): Promise<boolean> {
    const { modifiedCount } = await users.updateOne(
      { _id: toObjectId(userId), libraryClosure: null },
      { $set: { libraryClosure } },
    )
    return modifiedCount === 1
  }

  async function open(userId: string): Promise<boolean> {
    const { modifiedCount } = await users.updateOne(
      { _id: toObjectId(userId), libraryClosure: { $ne: null } },
      { $set: { libraryClosure: null } },
    )
    return modifiedCount === 1
  }

  return { close, open }
}

export type LibraryClosureRepository = ReturnType<typeof createLibraryClosureRepository>
