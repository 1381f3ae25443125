import { decode } from '../bson/bson-codec.ts'
import { encodeKey } from './index-keys.ts'

/**
 * Returns the id of a document whose checksum is wrong, as text; undefined where it cannot be decoded, or where its id is not the one by which
 * it is found (`hasKey`): the id may be what is damaged, and may be that of another document now.
 */
export function readTrustedId(body: Uint8Array, hasKey: (key: Uint8Array) => boolean): string | undefined {
  const { byteLength } = body
  if (byteLength < 5 || new DataView(body.buffer, body.byteOffset, byteLength).getInt32(0, true) !== byteLength)
    return undefined
  try {
    const { _id: id } = decode(body)
    return hasKey(encodeKey(id)) ? String(id) : undefined
  } catch {
    return undefined
  }
}
