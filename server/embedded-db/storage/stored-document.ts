import { decode } from '../bson/bson-codec.ts'
import type { Document } from '../bson/values.ts'

/** Decodes a document read from the data file. @throws Error that indicates damage (isDamage) if it is not a document. */
export function decodeStored(body: Uint8Array): Document {
  try {
    return decode(body)
  } catch (cause) {
    throw new Error('a stored document is malformed', { cause })
  }
}
