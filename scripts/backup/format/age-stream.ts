import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { Encrypter, Stanza, type Decrypter, type Recipient } from 'age-encryption'
import { AppError } from '#contract/app-error.ts'

/*
 * Files in the age format (https://c2sp.org/age), which `age -d` opens too. The age-encryption package creates and opens the header and
 * the keys in it, except that Node's scrypt wraps the key for a passphrase. The payload is encrypted with Node's ChaCha20-Poly1305, which
 * is ten times as fast as one in JavaScript.
 */

/** The header of an age file and the key of its payload. */
export interface AgeFileKey {
  header: Uint8Array
  fileKey: Uint8Array
}

/** A Decrypter of age-encryption, or a stand-in for one. */
export type HeaderDecrypter = Pick<Decrypter, 'decryptHeader'>

export const ageVersionLine = 'age-encryption.org/v1\n'

const cipher = 'chacha20-poly1305'
const chunkBytes = 64 * 1024
const tagBytes = 16
const storedChunkBytes = chunkBytes + tagBytes
const nonceBytes = 16
/** Precedes the salt when a key is derived from a passphrase. */
const scryptLabel = 'age-encryption.org/v1/scrypt'
const scryptBlockSize = 8
/** Chunks that are encrypted together: 1 MB. */
const batchChunks = 16
/** Enough for a hundred recipients. */
const maxHeaderBytes = 64 * 1024

/** Thrown where an age file is damaged or truncated; the message completes "X is damaged: ". */
export class DamagedAgeFileError extends Error {
  override name = 'DamagedAgeFileError'
}

/** Thrown where none of the given passphrases and identities opens an age file. */
export class WrongKeyError extends Error {
  override name = 'WrongKeyError'
}

/** Creates a header that opens with the passphrase. `workFactor` is the base-2 logarithm of scrypt's cost; default 18. */
export function keyForPassphrase(passphrase: string, workFactor = 18): Promise<AgeFileKey> {
  return keyFor((encrypter) => encrypter.addRecipient(passphraseRecipient(passphrase, workFactor)))
}

/** Creates a header that opens with any recipient's identity. @throws AppError `invalid_input` for a string that is not a recipient */
export function keyForRecipients(recipients: string[]): Promise<AgeFileKey> {
  return keyFor((encrypter) => {
    for (const recipient of recipients) addRecipient(encrypter, recipient)
  })
}

async function keyFor(addRecipients: (encrypter: Encrypter) => void): Promise<AgeFileKey> {
  const encrypter = new Encrypter()
  addRecipients(encrypter)
  let fileKey: Uint8Array | undefined
  // Adds nothing to the header: it only captures the key.
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = Uint8Array.from(key)
      return []
    },
  })
  const header = headerOf(await encrypter.encrypt(''))
  if (!fileKey) throw new Error('age-encryption showed no file key')
  return { header, fileKey }
}

/** The scrypt recipient of https://c2sp.org/age with Node's scrypt: the library's, in JavaScript, is 50% slower and blocks the process. */
function passphraseRecipient(passphrase: string, workFactor: number): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(16)
      const cost = 2 ** workFactor
      const options = { N: cost, r: scryptBlockSize, p: 1, maxmem: 2 ** 20 + 128 * cost * scryptBlockSize }
      const key = await scryptAsync(passphrase, Buffer.concat([Buffer.from(scryptLabel), salt]), options)
      const encryption = createCipheriv(cipher, key, Buffer.alloc(12), { authTagLength: tagBytes })
      const body = Buffer.concat([encryption.update(fileKey), encryption.final(), encryption.getAuthTag()])
      return [new Stanza(['scrypt', withoutPadding(salt), String(workFactor)], body)]
    },
  }
}

function scryptAsync(passphrase: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw new AppError('invalid_input', `${recipient} is no public key of age (age1…).`, { cause })
  }
}

/** Encrypts a stream of bytes. */
export async function* encryptAge({ header, fileKey }: AgeFileKey, source: AsyncIterable<Uint8Array>) {
  const nonce = randomBytes(nonceBytes)
  const key = payloadKey(fileKey, nonce)
  yield Buffer.concat([header, nonce])
  let counter = 0
  // The last chunk carries a flag, so each batch waits for the next.
  let batch: Buffer | undefined
  for await (const next of inBatches(source, batchChunks * chunkBytes)) {
    if (batch) yield encryptBatch(key, counter, { batch, isLast: false })
    if (batch) counter += batchChunks
    batch = next
  }
  yield encryptBatch(key, counter, { batch: batch ?? Buffer.alloc(0), isLast: true })
}

/**
 * Decrypts a stream of bytes. Every byte is verified before it is yielded, and the last ones only where the stream is whole.
 *
 * @throws WrongKeyError where no key of `decrypter` opens it, DamagedAgeFileError
 */
export async function* decryptAge(decrypter: HeaderDecrypter, source: AsyncIterable<Uint8Array>) {
  const { header, rest } = await readHeader(source)
  const fileKey = await openHeader(decrypter, header)
  let key: Buffer | undefined
  let counter = 0
  let batch: Buffer | undefined
  for await (const next of inBatches(rest, batchChunks * storedChunkBytes, nonceBytes)) {
    if (!key) {
      key = payloadKey(fileKey, next)
      continue
    }
    if (batch) yield decryptBatch(key, counter, { batch, isLast: false })
    if (batch) counter += batchChunks
    batch = next
  }
  if (!key || !batch) throw new DamagedAgeFileError('it ends too early')
  yield decryptBatch(key, counter, { batch, isLast: true })
}

async function openHeader(decrypter: HeaderDecrypter, header: Buffer): Promise<Uint8Array> {
  try {
    return await decrypter.decryptHeader(header)
  } catch (cause) {
    if (/no identity matched/.test(String(cause))) throw new WrongKeyError('no key opens it', { cause })
    throw new DamagedAgeFileError('its header has changed', { cause })
  }
}

/** Splits a stream at the end of the header. */
async function readHeader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  for (let end = -1; end === -1; end = headerEnd(read)) {
    const next = await chunks.next()
    if (next.done || read.length > maxHeaderBytes) throw new DamagedAgeFileError('it has no header of an age file')
    read = Buffer.concat([read, next.value])
  }
  const header = read.subarray(0, headerEnd(read))
  async function* rest() {
    yield read.subarray(header.length)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { header, rest: rest() }
}

function headerOf(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file)
  return bytes.subarray(0, headerEnd(bytes))
}

/** Returns the offset of the end of the header, after the line with its MAC; -1 if the end has not been reached yet. */
function headerEnd(bytes: Buffer): number {
  const mac = bytes.indexOf('\n--- ')
  const end = mac === -1 ? -1 : bytes.indexOf('\n', mac + 1)
  return end === -1 ? -1 : end + 1
}

function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
}

interface Batch {
  /** One or several chunks. */
  batch: Buffer
  /** Whether its last chunk is the last one of the file. */
  isLast: boolean
}

/** 11 bytes of a big-endian counter, and one that is 1 for the last chunk. */
function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function encryptBatch(key: Buffer, first: number, { batch, isLast }: Batch): Buffer {
  const count = Math.max(1, Math.ceil(batch.length / chunkBytes))
  const pieces: Buffer[] = []
  for (let n = 0; n < count; n++) {
    const chunk = batch.subarray(n * chunkBytes, (n + 1) * chunkBytes)
    const nonce = chunkNonce(first + n, isLast && n === count - 1)
    const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    pieces.push(encryption.update(chunk), encryption.final(), encryption.getAuthTag())
  }
  return Buffer.concat(pieces)
}

function decryptBatch(key: Buffer, first: number, { batch, isLast }: Batch): Buffer {
  const count = Math.ceil(batch.length / storedChunkBytes)
  const pieces: Buffer[] = []
  for (let n = 0; n < count; n++) {
    const chunk = batch.subarray(n * storedChunkBytes, (n + 1) * storedChunkBytes)
    const isFinal = isLast && n === count - 1
    if (chunk.length < tagBytes || (chunk.length === tagBytes && first + n > 0)) {
      throw new DamagedAgeFileError('it ends too early')
    }
    const nonce = chunkNonce(first + n, isFinal)
    const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    decryption.setAuthTag(chunk.subarray(-tagBytes))
    try {
      pieces.push(decryption.update(chunk.subarray(0, -tagBytes)), decryption.final())
    } catch (cause) {
      throw new DamagedAgeFileError('it has changed, or it ends too early', { cause })
    }
  }
  return Buffer.concat(pieces)
}

/** Yields batches of `bytes` bytes, the last one possibly shorter; the first has `firstBytes` where that is given. */
async function* inBatches(source: AsyncIterable<Uint8Array>, bytes: number, firstBytes = bytes) {
  let pieces: Uint8Array[] = []
  let length = 0
  let wanted = firstBytes
  for await (const piece of source) {
    pieces.push(piece)
    length += piece.length
    if (length < wanted) continue
    let joined = Buffer.concat(pieces)
    for (; joined.length >= wanted; wanted = bytes) {
      yield joined.subarray(0, wanted)
      joined = joined.subarray(wanted)
    }
    pieces = [joined]
    length = joined.length
  }
  if (length > 0) yield Buffer.concat(pieces)
}
