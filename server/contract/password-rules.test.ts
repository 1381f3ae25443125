import { describe, expect, test } from 'vitest'
import { passwordErrors, passwordStrength, strengthLabel } from './password-rules.ts'

const astral = '\u{1E900}' // an Adlam letter: one character, two UTF-16 units

describe('a registration', () => {
  test.each(['Harvest-moon7', 'harvest-moon7', 'HARVESTMOON-7', 'Harvestmoon7', 'harvest_moon7'])(
    'accepts four of five checks: %s',
    (password) => {
      expect(passwordErrors('registration', password)).toEqual([])
    },
  )

  test('rejects fewer than 8 characters however strong', () => {
    expect(passwordErrors('registration', 'Aa1!xyz')).toEqual(['Password must be at least 8 characters long'])
  })

  test('names every check that is missed below four of five', () => {
    expect(passwordErrors('registration', 'harvestmoon')).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one digit',
      'Password must contain at least one special character',
    ])
  })
})

describe('a reset', () => {
  test('accepts its own special characters alone', () => {
    expect(passwordErrors('reset', 'Harvestmoon7&')).toEqual([])
    expect(passwordErrors('reset', 'Harvestmoon7#')).toEqual(['Password must contain at least one special character'])
  })
})

describe('a change', () => {
  test.each([
    ['Aa1!x', 'Password must be at least 8 characters long'],
    ['abcdefg1!', 'Password must contain at least one uppercase letter'],
    ['ABCDEFG1!', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh!', 'Password must contain at least one digit'],
    ['Abcdefg12', 'Password must contain at least one special character'],
    ['Abcddd12!', 'Password should not contain repeated characters'],
  ])('rejects %s for one reason', (password, message) => {
    expect(passwordErrors('change', password)).toEqual([message])
  })
})

describe('the special characters', () => {
  const signs = [...' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
  const acceptedBy = (form: 'reset' | 'change') =>
    signs.filter((sign) => passwordErrors(form, `Harvestmoon7${sign}`).length === 0).toSorted()

  test.each([
    ['reset', '@$!%*?&'],
    ['change', '!@#$%^&*(),.?":{}|<>'],
  ] as const)('of a %s are %s alone', (form, accepted) => {
    expect(acceptedBy(form)).toEqual([...accepted].toSorted())
  })

  test('of a registration are all of ASCII', () => {
    const counted = signs.filter((sign) => passwordStrength(`Harvestmoon7${sign}`) === 5)
    expect(counted).toEqual(signs.filter((sign) => sign !== ' '))
  })
})

describe.each(['registration', 'reset', 'change'] as const)('the length of a password (%s)', (form) => {
  test('is at least 8 characters', () => {
    expect(passwordErrors(form, 'Ab1!xyz')).toEqual(['Password must be at least 8 characters long'])
    expect(passwordErrors(form, 'Ab1!xyzw')).toEqual([])
  })

  test('is at most 128 characters', () => {
    expect(passwordErrors(form, `Ab1!${'xy'.repeat(62)}`)).toEqual([])
    expect(passwordErrors(form, `Ab1!${'xy'.repeat(63)}`)).toEqual([
      'Password must be no more than 128 characters long',
    ])
  })

  test('counts code points, not UTF-16 units', () => {
    expect(passwordErrors(form, `Ab1!${astral}x${astral}`)).toEqual(['Password must be at least 8 characters long'])
    expect(passwordErrors(form, `Ab1!${`${astral}x`.repeat(62)}`)).toEqual([])
  })
})

describe('the strength meter', () => {
  test.each([
    ['', 0, 'Weak'],
    ['abcdefgh', 2, 'Weak'],
    ['Abcdefgh', 3, 'Fair'],
    ['Abcdefg1', 4, 'Good'],
    ['Abcdefg1!', 5, 'Strong'],
    ['Abcdefg1_', 5, 'Strong'],
  ])('%j passes %i checks: %s', (password, strength, label) => {
    expect(passwordStrength(password)).toBe(strength)
    expect(strengthLabel(passwordStrength(password))).toBe(label)
  })
})
