import { expect, test } from 'vitest'
import { hasLoop, mergeSame } from './repetition.ts'

function timed(...texts: string[]) {
  return texts.map((text, index) => ({ startMs: index * 1000, endMs: index * 1000 + 900, text }))
}

test('a segment over and over is a loop', () => {
  expect(hasLoop(timed('hello', 'thank you', 'thank you', 'thank you', 'thank you', 'thank you', 'bye'))).toBe(true)
})

test.each(['go on '.repeat(12), 'هغه راغی '.repeat(9), 'a b c '.repeat(40)])(
  'a phrase over and over is a loop: %s',
  (loop) => {
    expect(hasLoop(timed(`he said ${loop}and left`))).toBe(true)
  },
)

test('what people repeat is none', () => {
  const said = timed('yes yes yes yes yes', 'no no no', 'no no no', 'zero zero zero zero', 'no', 'no', 'no', 'no')
  expect(hasLoop(said)).toBe(false)
})

test('a word is not a repetition of its own end', () => {
  expect(hasLoop(timed(`${'ha '.repeat(5)}haha`))).toBe(false)
})

test('takes a long text without repetition at once', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
  expect(hasLoop(timed(words))).toBe(false)
})

test('merges an utterance heard twice, from its first start to its last end', () => {
  expect(mergeSame(timed('one', 'one', 'two'))).toEqual([
    { startMs: 0, endMs: 1900, text: 'one' },
    { startMs: 2000, endMs: 2900, text: 'two' },
  ])
})
