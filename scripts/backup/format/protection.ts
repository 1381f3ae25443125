import { encryptAge, keyForPassphrase, keyForRecipients } from './age-stream.ts'

/** How archives are encrypted; `workFactor` as in keyForPassphrase. */
export type Protection =
  | { kind: 'passphrase'; passphrase: string; workFactor?: number }
  | { kind: 'recipients'; recipients: string[] }
  | { kind: 'none' }

/** Encrypts a stream of bytes as `protection` says; passes it on where that is `none`. */
export async function* protect(protection: Protection, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (protection.kind === 'none') return yield* source
  const key =
    protection.kind === 'passphrase'
      ? await keyForPassphrase(protection.passphrase, protection.workFactor)
      : await keyForRecipients(protection.recipients)
  yield* encryptAge(key, source)
}
