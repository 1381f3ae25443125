import { describe, expect, it } from 'vitest'
import { ErrorCount, wordsOf } from './word-errors.ts'

describe('wordsOf', () => {
  it('ignores case and punctuation of every script', () => {
    expect(wordsOf(' Where is the book? ')).toEqual(['where', 'is', 'the', 'book'])
    expect(wordsOf('کتاب کہاں ہے؟ ۔')).toEqual(['کتاب', 'کہاں', 'ہے'])
  })
})

describe('ErrorCount', () => {
  it('answers errors per expected word over all texts', () => {
    const count = new ErrorCount()
    count.add('one two', 'one two')
    count.add('three four', 'three')
    expect(count.rate).toBe(0.25)
    expect(count.exact).toBe(1)
  })
})
