import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import {
  DamagedAgeFileError,
  decryptAge,
  encryptAge,
  keyForPassphrase,
  keyForRecipients,
  WrongKeyError,
} from './age-stream.ts'

const passphrase = 'four words of passphrase'
const sizes = [0, 1, 65_535, 65_536, 65_537, 300_001, 1_048_575, 1_048_576, 1_048_577, 2_097_152]

async function* inPieces(bytes: Uint8Array, size = 10_007) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function decrypterFor(secret: string): Decrypter {
  const decrypter = new Decrypter()
  if (secret.startsWith('AGE-SECRET-KEY')) decrypter.addIdentity(secret)
  else decrypter.addPassphrase(secret)
  return decrypter
}

const open = (secret: string, file: Uint8Array) => buffer(decryptAge(decrypterFor(secret), inPieces(file)))

test.each(sizes)('the library opens what was encrypted, and the other way around (%i bytes)', async (size) => {
  const content = randomBytes(size)
  const ours = await buffer(encryptAge(await keyForPassphrase(passphrase, 1), inPieces(content)))
  expect(Buffer.from(await decrypterFor(passphrase).decrypt(ours))).toEqual(content)

  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(1)
  expect(await open(passphrase, await encrypter.encrypt(content))).toEqual(content)
})

test('each of several recipients opens a file, and nobody else does', async () => {
  const identities = await Promise.all([generateX25519Identity(), generateX25519Identity()])
  const key = await keyForRecipients(await Promise.all(identities.map(identityToRecipient)))
  const file = await buffer(encryptAge(key, inPieces(Buffer.from('audio'))))
  for (const identity of identities) expect(String(await open(identity, file))).toBe('audio')
  await expect(open(await generateX25519Identity(), file)).rejects.toThrow(WrongKeyError)
  await expect(open('another passphrase', file)).rejects.toThrow(WrongKeyError)
})

test('a file that was cut off anywhere, or has a bit flipped anywhere, is refused', async () => {
  const file = await buffer(encryptAge(await keyForPassphrase(passphrase, 1), inPieces(randomBytes(200_000))))
  const places = [...Array.from({ length: 40 }, (_, n) => Math.floor((n * file.length) / 40)), file.length - 1]
  for (const place of places) {
    const flipped = Buffer.from(file)
    flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8))
    await expect(open(passphrase, flipped), `bit at ${place}`).rejects.toThrow(/its? |no key opens it/)
    await expect(open(passphrase, file.subarray(0, place)), `cut at ${place}`).rejects.toThrow(DamagedAgeFileError)
  }
})

test('what is no recipient is refused', async () => {
  await expect(keyForRecipients(['age1nonsense'])).rejects.toThrow('age1nonsense is no public key of age')
})
