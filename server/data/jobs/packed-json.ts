import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * Serializes a value as compressed JSON. Uncompressed, a long transcript with its translations approaches the 16 MB limit of a document;
 * packed, it takes a fifth of that. No query needs its fields.
 */
export async function packJson(value: unknown): Promise<Buffer> {
  return compress(JSON.stringify(value))
}

/** Returns the unpacked value, to be parsed by the caller's schema. */
export async function unpackJson(packed: Uint8Array): Promise<unknown> {
  return JSON.parse((await decompress(packed)).toString('utf8'))
}

/** Returns the bytes of a stored field: lean reads return the driver's Binary. */
export function toBytes(stored: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.buffer
}
