import { describe, expect, test } from 'vitest'
import { passwordFaults } from './password-rules.ts'

describe('registration', () => {
  test.each(['Harvest-moon7', 'harvest-moon7', 'HARVESTMOON-7', 'Harvestmoon7'])(
    'takes four of five checks: %s',
    (password) => {
      expect(passwordFaults('registration', password)).toEqual([])
    },
  )

  test('refuses less than 8 characters however strong', () => {
    expect(passwordFaults('registration', 'Aa1!xyz')).toEqual(['Password must be at least 8 characters long'])
  })

  test('names what is missing below four of five', () => {
    expect(passwordFaults('registration', 'harvestmoon')).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one digit',
      'Password must contain at least one special character',
    ])
  })
})

describe('reset', () => {
  test('takes its own specials alone', () => {
    expect(passwordFaults('reset', 'Harvestmoon7&')).toEqual([])
    expect(passwordFaults('reset', 'Harvestmoon7#')).toEqual(['Password must contain at least one special character'])
  })
})

describe('change', () => {
  test('refuses a character three times in a row', () => {
    expect(passwordFaults('change', 'Harvestmooon7#')).toEqual(['Password should not contain repeated characters'])
  })

  test('refuses more than 128 characters and takes 128', () => {
    expect(passwordFaults('change', `Ab1#${'xy'.repeat(62)}`)).toEqual([])
    expect(passwordFaults('change', `Ab1#${'xy'.repeat(63)}`)).toEqual([
      'Password must be no more than 128 characters long',
    ])
  })
})

test.each(['Password1!', 'P@ssw0rd2024!', 'Qwerty123!', '123Welcome!', 'Letmein#1', '1Q2w3e4r!'])(
  'refuses a common password in disguise: %s',
  (password) => {
    expect(passwordFaults('change', password)).toEqual([
      'Password is too common. Please choose one that is harder to guess',
    ])
  },
)
