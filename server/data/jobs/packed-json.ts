import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * A value as compressed JSON. A long transcript with its translations comes near the 16 MB a document may hold when written out,
 * and is a fifth of that packed; nothing ever searches inside.
 */
export async function packJson(value: unknown): Promise<Buffer> {
  return compress(JSON.stringify(value))
}

/** The value again, unparsed: the caller's schema says what it is. */
export async function unpackJson(packed: Uint8Array): Promise<unknown> {
  return JSON.parse((await decompress(packed)).toString('utf8'))
}

/** The bytes of a stored field: lean reads answer the driver's Binary. */
export function toBytes(stored: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.buffer
}
