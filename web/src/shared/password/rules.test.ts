import { describe, expect, it } from 'vitest'
import { changeRules, faultsOf, resetRules, strengthLabel, strengthOf } from './rules.ts'

describe('password strength', () => {
  it.each([
    ['', 0, 'Weak'],
    ['abcdefgh', 2, 'Weak'],
    ['Abcdefgh', 3, 'Fair'],
    ['Abcdefg1', 4, 'Good'],
    ['Abcdefg1!', 5, 'Strong'],
  ])('%j passes %i checks: %s', (password, score, label) => {
    expect(strengthOf(password)).toBe(score)
    expect(strengthLabel(strengthOf(password))).toBe(label)
  })
})

describe('a changed password', () => {
  it.each([
    ['Aa1!x', 'Password must be at least 8 characters long'],
    [`Aa1!${'xy'.repeat(63)}`, 'Password must be no more than 128 characters long'],
    ['abcdefg1!', 'Password must contain at least one uppercase letter'],
    ['ABCDEFG1!', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh!', 'Password must contain at least one digit'],
    ['Abcdefg12', 'Password must contain at least one special character'],
    ['Abcddd12!', 'Password should not contain repeated characters'],
  ])('%s is refused for one reason', (password, fault) => {
    expect(faultsOf(password, changeRules)).toEqual([fault])
  })

  it('is accepted at both ends of its length', () => {
    expect(faultsOf('Abcdef1!', changeRules)).toEqual([])
    expect(faultsOf(`Aa1!${'xy'.repeat(62)}`, changeRules)).toEqual([])
  })
})

describe('a reset password', () => {
  it('takes its special character from a smaller set', () => {
    expect(faultsOf('Abcdefg1#', resetRules)).toHaveLength(1)
    expect(faultsOf('Abcdefg1@', resetRules)).toEqual([])
  })
})
