import type { Connection, Model, Schema } from 'mongoose'

/** Returns the model of a collection on this connection, creating it on the first call. */
export function modelOf<Doc>(
  connection: Connection,
  name: string,
  schema: Schema<Doc>,
  collection: string,
): Model<Doc> {
  const existing = connection.models[name]
  if (existing) return existing as Model<Doc> // only the line below registers under this name
  return connection.model<Doc>(name, schema, collection)
}

/** Returns whether a write failed because of a unique index; `field` narrows it to one index. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 11000) return false
  if (!field) return true
  const pattern = 'keyPattern' in error ? error.keyPattern : undefined
  return typeof pattern === 'object' && pattern !== null && Object.hasOwn(pattern, field)
}

/** Returns a case-insensitive regular expression that matches a text literally. BSON patterns end at a null byte. */
export function literalPattern(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\0', '\\x00'), 'i')
}
