import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffWords, type DiffPart } from './word-diff.ts'

const changed = (parts: DiffPart[]) => parts.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim())
const whole = (parts: DiffPart[]) => parts.map(({ text }) => text).join('')

describe('the differing words of two texts', () => {
  it('are those that only one of them has', () => {
    const { a, b } = diffWords('the bridge is open', 'the old bridge was open')
    expect(changed(a)).toEqual(['is'])
    expect(changed(b)).toEqual(['old', 'was'])
  })

  it('are as few as they can be, wherever the other text has more', () => {
    const { a, b } = diffWords('one two three', 'zero one two four')
    expect([changed(a), changed(b)]).toEqual([['three'], ['zero', 'four']])
    const moved = diffWords('one two three', 'two three one')
    expect([changed(moved.a), changed(moved.b)]).toEqual([['one'], ['one']])
    const shifted = diffWords('one two three four', 'five one three four six')
    expect([changed(shifted.a), changed(shifted.b)]).toEqual([['two'], ['five', 'six']])
  })

  it('are marked in scripts of both directions', () => {
    const { a, b } = diffWords('موږ سبا پل ته ځو', 'موږ نن پل ته ځو')
    expect([changed(a), changed(b)]).toEqual([['سبا'], ['نن']])
  })

  it('are none of equal texts, and all of a text beside none', () => {
    expect(changed(diffWords('a b', 'a  b').b)).toEqual([])
    expect(changed(diffWords('', 'a b').b)).toEqual(['a b'])
  })

  it('leave both texts whole', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '  '), { maxLength: 20 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(text, text, (a, b) => {
        const parts = diffWords(a, b)
        expect([whole(parts.a), whole(parts.b)]).toEqual([a, b])
        const kept = (side: DiffPart[]) =>
          whole(side.filter(({ isChanged }) => !isChanged))
            .split(/\s+/)
            .filter(Boolean)
        expect(kept(parts.a)).toEqual(kept(parts.b))
      }),
    )
  })
})
