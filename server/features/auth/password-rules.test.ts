import { describe, expect, test } from 'vitest'
import { createPasswordRules, formFaults } from './password-rules.ts'

describe('registration', () => {
  test.each(['Harvest-moon7', 'harvest-moon7', 'HARVESTMOON-7', 'Harvestmoon7'])(
    'takes four of five checks: %s',
    (password) => {
      expect(formFaults('registration', password)).toEqual([])
    },
  )

  test('refuses less than 8 characters however strong', () => {
    expect(formFaults('registration', 'Aa1!xyz')).toEqual(['Password must be at least 8 characters long'])
  })

  test('names what is missing below four of five', () => {
    expect(formFaults('registration', 'harvestmoon')).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one digit',
      'Password must contain at least one special character',
    ])
  })
})

describe('reset', () => {
  test('takes its own specials alone', () => {
    expect(formFaults('reset', 'Harvestmoon7&')).toEqual([])
    expect(formFaults('reset', 'Harvestmoon7#')).toEqual(['Password must contain at least one special character'])
  })
})

describe('change', () => {
  test('refuses a character three times in a row', () => {
    expect(formFaults('change', 'Harvestmooon7#')).toEqual(['Password should not contain repeated characters'])
  })

  test('refuses more than 128 characters and takes 128', () => {
    expect(formFaults('change', `Ab1#${'xy'.repeat(62)}`)).toEqual([])
    expect(formFaults('change', `Ab1#${'xy'.repeat(63)}`)).toEqual([
      'Password must be no more than 128 characters long',
    ])
  })
})

describe('what is easy to guess', () => {
  const rules = createPasswordRules({ publicUrl: 'https://awaz.kabulpress.example', mailFrom: '', passwordWords: [] })
  const nadia = { email: 'nadia.khan@example.org', username: 'nadia', firstName: 'Nadia', lastName: 'Khan' }
  const tooCommon = 'Password is too common. Please choose one that is harder to guess'
  const tooPersonal = 'Password contains your own name or address. Please choose one that is harder to guess'
  const tooExpected = 'Password is made of words expected here. Please choose one that is harder to guess'

  test.each([
    'Password1!',
    'P@ssw0rd2024!',
    'Qwerty123!',
    '123Welcome!',
    'Letmein#1',
    '1Q2w3e4r!',
    'Aa@123456',
    'Football#1',
    'Tr0ub4dor&3',
    'L1verp00l!',
    'Iloveyou-2',
    'Bismillah786!',
    'Mashallah#1',
    'Jalalabad1!',
  ])('a common password in disguise: %s', async (password) => {
    expect(await rules.faults('registration', password, {})).toEqual([tooCommon])
  })

  test('the 3,000 most used that have eight characters, with what a form asks for around them', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const mostUsed = dictionary['passwords-common'].filter((word) => word.length >= 8).slice(0, 3000)
    expect(mostUsed).toHaveLength(3000)
    const taken: string[] = []
    for (const word of mostUsed) {
      const dressed = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
      const faults = await Promise.all([word, dressed].map((password) => rules.faults('registration', password, {})))
      if (faults.some(({ length }) => length === 0)) taken.push(word)
    }
    expect(taken).toEqual([])
  })

  test.each(['nadia.khan@example.org1A', 'My-Nadia-7', 'N4DIA.KHAN-99a'])(
    'own address or name: %s',
    async (password) => {
      expect(await rules.faults('registration', password, nadia)).toEqual([tooPersonal])
      expect(await rules.faults('registration', password, { email: 'other@example.net' })).toEqual([])
    },
  )

  test.each(['Pashto-123!', 'Awaz-2026!', 'KabulPress#1', 'Persian@password1'])(
    'words of the product, languages and organisation: %s',
    async (password) => expect(await rules.faults('change', password, nadia)).toEqual([tooExpected]),
  )

  test('is looked at after the rules of the form, one sentence', async () => {
    expect(await rules.faults('change', 'pashto123', nadia)).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one special character',
    ])
  })
})
