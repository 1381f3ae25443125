import { decode } from '../bson/bson-codec.ts'
import type { Document } from '../bson/values.ts'

/** Decodes what was read from the data file. @throws Error which means damage (isDamage) where it is no document. */
export function decodeStored(body: Uint8Array): Document {
  try {
    return decode(body)
  } catch (cause) {
    throw new Error('a stored document is malformed', { cause })
  }
}
