import { expect, test } from 'vitest'
import { hasLoop, mergeRepeated } from './repetition.ts'

function timed(...texts: string[]) {
  return texts.map((text, index) => ({ startMs: index * 1000, endMs: index * 1000 + 900, text }))
}

test('a repeated segment is a loop', () => {
  expect(hasLoop(timed('hello', 'thank you', 'thank you', 'thank you', 'thank you', 'thank you', 'bye'))).toBe(true)
})

test.each(['go on '.repeat(12), 'هغه راغی '.repeat(9), 'a b c '.repeat(40)])(
  'a repeated phrase is a loop: %s',
  (loop) => {
    expect(hasLoop(timed(`he said ${loop}and left`))).toBe(true)
  },
)

test('repetitions in ordinary speech are not a loop', () => {
  const said = timed('yes yes yes yes yes', 'no no no', 'no no no', 'zero zero zero zero', 'no', 'no', 'no', 'no')
  expect(hasLoop(said)).toBe(false)
})

test('the end of a word does not count as a repetition', () => {
  expect(hasLoop(timed(`${'ha '.repeat(5)}haha`))).toBe(false)
})

test('checks a long text without repetition quickly', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
  expect(hasLoop(timed(words))).toBe(false)
})

test('merges a repeated utterance, from its first start to its last end', () => {
  expect(mergeRepeated(timed('one', 'one', 'two'))).toEqual([
    { startMs: 0, endMs: 1900, text: 'one' },
    { startMs: 2000, endMs: 2900, text: 'two' },
  ])
})
