import { withId } from '../ids.ts'
import type { UserDocument } from './user-model.ts'

/** A user as returned from this folder: a plain object with a string id. */
export type UserRecord = Omit<UserDocument, '_id'> & { id: string }

export function toUserRecord(document: UserDocument): UserRecord {
  return withId(document)
}
