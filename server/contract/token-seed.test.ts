import { describe, expect, test } from 'vitest'
import { complaints } from './testing/inputs.ts'
import { parseTokenSeed, TokenSeed, tokenSeedMessage } from './token-seed.ts'

describe('the seed of a token', () => {
  // "12345678901234567890", the secret in the examples of RFC 6238.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  test.each([
    seed,
    seed.toLowerCase(),
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ',
    'gezdgnbv-gy3tqojq-gezdgnbv-gy3tqojq====',
    '3132333435363738393031323334353637383930',
    '31 32 33 34 35 36 37 38 39 30 31 32 33 34 35 36 37 38 39 30',
  ])('is read from %s', (text) => {
    expect(parseTokenSeed(text)).toBe(seed)
    expect(complaints(TokenSeed, text)).toEqual([])
  })

  test('is filled up with zero bits where its bytes end within a letter', () => {
    expect(parseTokenSeed('00112233445566778899aabbccddeeff')).toBe('AAISEM2EKVTHPCEZVK54ZXPO74')
  })

  test.each([
    ['empty', ''],
    ['shorter than 16 bytes in base32', 'GEZDGNBVGY3TQOJQ'],
    ['shorter than 16 bytes in hex', '00112233445566778899aabbccddee'],
    ['longer than 64 bytes', '0123456789abcdef'.repeat(9)],
    ['of a letter that neither has', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1'],
    ['cut off within a byte', `${seed}A`],
    ['made up', 'ABABABABABABABABABABABABABABABAB'],
  ])('is refused where it is %s', (_, text) => {
    expect(parseTokenSeed(text)).toBeUndefined()
    expect(complaints(TokenSeed, text)).toEqual([tokenSeedMessage])
  })
})
