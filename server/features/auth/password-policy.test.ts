import { describe, expect, test } from 'vitest'
import { createPasswordPolicy } from './password-policy.ts'

describe('a guessable password', () => {
  const rules = createPasswordPolicy({ publicUrl: 'https://awaz.kabulpress.example', mailFrom: '', passwordWords: [] })
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
    expect(await rules.listErrors('registration', password, {})).toEqual([tooCommon])
  })

  test('the 3,000 most used passwords of eight characters, plain and capitalized', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const mostUsed = dictionary['passwords-common'].filter((word) => word.length >= 8).slice(0, 3000)
    expect(mostUsed).toHaveLength(3000)
    const accepted: string[] = []
    for (const word of mostUsed) {
      const capitalized = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
      const errors = await Promise.all(
        [word, capitalized].map((password) => rules.listErrors('registration', password, {})),
      )
      if (errors.some(({ length }) => length === 0)) accepted.push(word)
    }
    expect(accepted).toEqual([])
  })

  test.each(['nadia.khan@example.org1A', 'My-Nadia-7', 'N4DIA.KHAN-99a'])(
    'own address or name: %s',
    async (password) => {
      expect(await rules.listErrors('registration', password, nadia)).toEqual([tooPersonal])
      expect(await rules.listErrors('registration', password, { email: 'other@example.net' })).toEqual([])
    },
  )

  test.each(['Pashto-123!', 'Awaz-2026!', 'KabulPress#1', 'Persian@password1'])(
    'words of the product, languages and organisation: %s',
    async (password) => expect(await rules.listErrors('change', password, nadia)).toEqual([tooExpected]),
  )

  test('is reported only where the rules of the form are met', async () => {
    expect(await rules.listErrors('change', 'pashto123', nadia)).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one special character',
    ])
  })
})
