import { Types } from 'mongoose'

/** Ids outside this folder are strings of 24 hex digits; a document's `_id` is an ObjectId. */
const idPattern = /^[\da-f]{24}$/i

export function newId(): string {
  return new Types.ObjectId().toHexString()
}

export function isObjectId(text: string): boolean {
  return idPattern.test(text)
}

/** Throws a TypeError if the text is not an id: check outside input with `isObjectId` first. */
export function toObjectId(id: string): Types.ObjectId {
  if (!isObjectId(id)) throw new TypeError('An id has 24 hex digits')
  return Types.ObjectId.createFromHexString(id)
}

/** Returns a record with a string `id` for a lean document. */
export function withId<T extends { _id: Types.ObjectId }>(document: T): Omit<T, '_id'> & { id: string } {
  const { _id, ...fields } = document
  return { ...fields, id: _id.toHexString() }
}
