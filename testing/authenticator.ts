import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'

// A software authenticator: it produces the bytes that a browser and a security key produce together (WebAuthn Level 3, sections 6.1
// and 6.5), with a real ES256 key, so that the server's actual verification is tested.

const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  excludeCredentials: z.array(z.object({ id: z.string() })).default([]),
})
const RequestOptions = z.object({ challenge: z.string(), rpId: z.string() })

const flagBits = { isPresent: 0x01, isVerified: 0x04, isBackupEligible: 0x08, isBackedUp: 0x10, hasCredential: 0x40 }

interface AuthenticatorOptions {
  /** The origin of the page. */
  origin: string
  /** Overrides the signature counter, as a copied or outdated authenticator would. Default: counts from 1. */
  counter?: number
  /** Default true. */
  isUserVerified?: boolean
  /** The host that the passkey is bound to. Default: the one in the options. */
  rpId?: string
  /** The challenge to sign. Default: the one in the options. */
  challenge?: string
  /** Whether the passkey is copied to other devices. Default false. */
  isSynced?: boolean
  /** base64url. Default: the one stored with the passkey. */
  userHandle?: string
  /** Sent instead of the credential's own id. */
  credentialId?: string
  /** The id of a new credential. Default: random. */
  id?: Buffer
}

export interface SoftwarePasskey {
  credentialId: string
  userHandle: string
  rpId: string
  privateKey: KeyObject
  counter: number
}

/** Creates a passkey, and the response of `navigator.credentials.create` that a browser sends. */
export function createPasskey(options: unknown, settings: AuthenticatorOptions) {
  const { challenge, rp, user } = CreationOptions.parse(options)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = settings.id ?? randomBytes(32)
  const passkey: SoftwarePasskey = {
    credentialId: id.toString('base64url'),
    userHandle: user.id,
    rpId: settings.rpId ?? rp.id,
    privateKey,
    counter: settings.counter ?? 0,
  }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
  const authData = Buffer.concat([authenticatorData(passkey, { ...settings, hasCredential: true }), credential])
  const attestation = new Map<string, CborValue>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const response = {
    ...head(passkey.credentialId),
    response: {
      clientDataJSON: clientData('webauthn.create', challenge, settings).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal', 'hybrid'],
    },
  }
  return { passkey, response }
}

/** Returns the ids of the passkeys that the options exclude: an authenticator that has one of them creates no other. */
export function excludedCredentials(options: unknown): string[] {
  return CreationOptions.parse(options).excludeCredentials.map(({ id }) => id)
}

/** Signs in and returns the response of `navigator.credentials.get` that a browser sends. */
export function signWithPasskey(passkey: SoftwarePasskey, options: unknown, settings: AuthenticatorOptions) {
  const { challenge, rpId } = RequestOptions.parse(options)
  passkey.counter = settings.counter ?? passkey.counter + 1
  const authData = authenticatorData({ ...passkey, rpId: settings.rpId ?? rpId }, settings)
  const client = clientData('webauthn.get', challenge, settings)
  const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), passkey.privateKey)
  return {
    ...head(settings.credentialId ?? passkey.credentialId),
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: settings.userHandle ?? passkey.userHandle,
    },
  }
}

function head(id: string) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
}

function clientData(type: string, challenge: string, settings: AuthenticatorOptions): Buffer {
  const { origin } = settings
  return Buffer.from(JSON.stringify({ type, challenge: settings.challenge ?? challenge, origin, crossOrigin: false }))
}

function authenticatorData(
  { rpId, counter }: Pick<SoftwarePasskey, 'rpId' | 'counter'>,
  {
    isUserVerified = true,
    isSynced = false,
    hasCredential = false,
  }: AuthenticatorOptions & { hasCredential?: boolean },
): Buffer {
  const flags =
    flagBits.isPresent |
    (isUserVerified ? flagBits.isVerified : 0) |
    (isSynced ? flagBits.isBackupEligible | flagBits.isBackedUp : 0) |
    (hasCredential ? flagBits.hasCredential : 0)
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), tail])
}

/** Encodes an ES256 key as COSE does: RFC 9053, section 7.1.1. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type CborValue = number | string | Buffer | Map<string | number, CborValue>

/** Encodes a value as CBOR (RFC 8949); supports only what WebAuthn needs. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])])
}

function cborHead(majorType: number, count: number): Buffer {
  const first = majorType << 5
  if (count < 24) return Buffer.from([first | count])
  if (count < 256) return Buffer.from([first | 24, count])
  return Buffer.from([first | 25, count >> 8, count & 0xff])
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
