import { describe, expect, test } from 'vitest'
import { containsOwnName, installationWords, isMadeOfWords } from './guessable-words.ts'

const owner = {
  email: 'nadia.khan@kabulpress.example',
  username: 'n_ahmadzai',
  firstName: 'Nādia',
  lastName: 'Khan Gul',
}

describe("the owner's address and names", () => {
  test.each([
    ['the address and a digit', 'nadia.khan@kabulpress.example1'],
    ['the address in capitals', 'NADIA.KHAN@KABULPRESS.EXAMPLE-7'],
    ['its part before the @', '7!Nadia.Khan'],
    ['that part without signs', 'NadiaKhan!77x'],
    ['the username', 'N_Ahmadzai2026!'],
    ['a piece of the username in disguise', '4hm@dz41-River9'],
    ['a name without its accent', 'green-Nadia-river7'],
    ['a name with signs between its letters', 'n.A-d_i.a+River7'],
  ])('%s: %s', (_, password) => expect(containsOwnName(password, owner)).toBe(true))

  test.each(['Harvest-moon7', 'Gulalai-River7', 'Quiet.Hill.42?Rain'])('do not affect %s', (password) => {
    expect(containsOwnName(password, owner)).toBe(false)
    expect(isMadeOfWords(password, [], owner)).toBe(false)
  })

  test('of three letters may be part of a longer password, but not most of it', () => {
    expect(isMadeOfWords('Gul-2024-Gul!', [], owner)).toBe(true)
    expect(isMadeOfWords('Gulalai-River7', [], owner)).toBe(false)
  })

  test('of other scripts count as well', () => {
    expect(containsOwnName('زرغونه-1401-Aa!', { firstName: 'زرغونه' })).toBe(true)
    expect(containsOwnName('زرغونه-1401-Aa!', { firstName: 'نادیه' })).toBe(false)
  })
})

describe('words of the installation', () => {
  const words = installationWords({
    addresses: ['https://transcripts.kabulpress.example:8443', 'Kabul Press <noreply@kabulpress.example>'],
    extraWords: ['Project Nightjar', 'newsroom'],
  })

  test.each([
    ['a language', 'Pashto-123!'],
    ['a language in disguise', 'P4$ht0-2024!'],
    ['a language by its own name', 'پښتو-Aa-123!'],
    ['two languages', 'Urdu&Persian1'],
    ['the product', 'Awaz2026!'],
    ['the product and what it does', 'AwazTranscription-99'],
    ['a role', 'SuperAdmin#2026'],
    ['the organisation, of the public address', 'KabulPress-321!'],
    ['what the operator added', 'Nightjar-newsroom1!'],
    ["the domain of the owner's address", 'Kabulpress1!Aa'],
  ])('%s and little else: %s', (_, password) => expect(isMadeOfWords(password, words, owner)).toBe(true))

  test.each(['I-learn-Pashto-with-2-goats', 'Persian-carpet7', 'Voice84629173!', 'Harvest-moon7'])(
    'do not affect %s',
    (password) => expect(isMadeOfWords(password, words, owner)).toBe(false),
  )

  test.each(['http://192.0.2.7:8080', 'http://localhost:8080', 'Awaz <awaz@localhost>'])(
    'include nothing of %s, which names no organisation',
    (address) => {
      const without = installationWords({ addresses: [], extraWords: [] })
      expect(installationWords({ addresses: [address], extraWords: [] })).toEqual(without)
    },
  )
})
