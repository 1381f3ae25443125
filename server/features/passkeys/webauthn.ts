import { z } from 'zod'
import type { NewPasskey, PasskeyRecord } from '#data/passkeys/passkeys.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256 (RFC 9053; RFC 8812). Fixed, so that servers of different builds agree on them. */
const algorithms = [-8, -7, -257]
/** How long browsers wait for the person, in milliseconds; the challenge is valid for as long. */
export const ceremonyTimeoutMs = 5 * 60_000

const Base64Url = z.string().regex(/^[\w-]+$/)
const common = {
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
}

/** The part of WebAuthn Level 3's RegistrationResponseJSON that is read. */
const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})

/** AuthenticationResponseJSON of WebAuthn Level 3. */
const Authentication = z.object({
  ...common,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url,
  }),
})

/** The user who is adding a passkey, and the passkeys they have. */
interface PasskeyOwner {
  id: string
  email: string
  displayName: string
  passkeys: Pick<PasskeyRecord, 'credentialId' | 'transports'>[]
}

/** Loads the library when first needed: loading its 300 modules would take a tenth of the processor time of every start. */
async function loadLibrary() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...server, ...helpers }
}

/** Returns the options for `navigator.credentials.create`. The key must be discoverable, so that signing in needs no e-mail address. */
export async function createRegistrationOptions(relyingParty: RelyingParty, owner: PasskeyOwner) {
  const { generateRegistrationOptions, isoUint8Array } = await loadLibrary()
  return generateRegistrationOptions({
    rpName: 'Awaz',
    rpID: relyingParty.id,
    userID: isoUint8Array.fromUTF8String(owner.id),
    userName: owner.email,
    userDisplayName: owner.displayName,
    timeout: ceremonyTimeoutMs,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: owner.passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns the options for `navigator.credentials.get`. They name no credential: the browser offers those it has for this host. */
export async function createSignInOptions(relyingParty: RelyingParty) {
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    timeout: ceremonyTimeoutMs,
    userVerification: 'required',
  })
}

interface Expectation {
  relyingParty: RelyingParty
  challenge: string
}

type VerifiedPasskey = Omit<NewPasskey, 'ownerId' | 'name' | 'createdAt'>

/** Returns the passkey that a browser created, or undefined if anything about it is wrong. */
export async function verifyRegistration(
  response: unknown,
  { relyingParty, challenge }: Expectation,
): Promise<VerifiedPasskey | undefined> {
  const parsed = Registration.safeParse(response).data
  if (!parsed || !(await hasNoCertificates(parsed.response.attestationObject))) return undefined
  const { isoBase64URL, verifyRegistrationResponse } = await loadLibrary()
  const verified = await verifyRegistrationResponse({
    response: parsed,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: isoBase64URL.fromBuffer(credential.publicKey),
    counter: credential.counter,
    transports: parsed.response.transports,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

/**
 * Returns whether an attestation contains no certificate. None was requested, and the library would fetch the revocation lists named in a
 * certificate that the caller supplies, which could be at any address on the server's network.
 */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadLibrary()
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

/** The claims of an assertion, before verification. */
export interface SignInClaim {
  credentialId: string
  /** The user id that the authenticator stores with the passkey. */
  userId: string
  response: z.output<typeof Authentication>
}

/** Returns whose passkey an assertion claims to come from, or undefined if it is not an assertion. */
export function readSignInClaim(response: unknown): SignInClaim | undefined {
  const parsed = Authentication.safeParse(response).data
  if (!parsed) return undefined
  const userId = Buffer.from(parsed.response.userHandle, 'base64url').toString('utf8')
  return { credentialId: parsed.id, userId, response: parsed }
}

/** Returns the counter and backup state that a passkey signed, or undefined if anything about the assertion is wrong. */
export async function verifySignIn(
  { response }: SignInClaim,
  passkey: Pick<PasskeyRecord, 'credentialId' | 'publicKey'>,
  { relyingParty, challenge }: Expectation,
): Promise<{ counter: number; isBackedUp: boolean } | undefined> {
  const { isoBase64URL, verifyAuthenticationResponse } = await loadLibrary()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: isoBase64URL.toBuffer(passkey.publicKey),
      // The counter is compared where it is stored, in one step, and only after the signature is verified.
      counter: 0,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}
