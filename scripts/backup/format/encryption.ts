import { encryptAge, keyForPassphrase, keyForRecipients } from './age-stream.ts'

/** How archives are encrypted; `workFactor` as in keyForPassphrase. */
export type BackupEncryption =
  | { kind: 'passphrase'; passphrase: string; workFactor?: number }
  | { kind: 'recipients'; recipients: string[] }
  | { kind: 'none' }

/** Encrypts a stream of bytes as `encryption` says; passes it through where that is `none`. */
export async function* encrypt(
  encryption: BackupEncryption,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (encryption.kind === 'none') return yield* source
  const key =
    encryption.kind === 'passphrase'
      ? await keyForPassphrase(encryption.passphrase, encryption.workFactor)
      : await keyForRecipients(encryption.recipients)
  yield* encryptAge(key, source)
}
