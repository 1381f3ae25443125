import { expect, test } from 'vitest'
import { mergeSame, shortenRepetition } from './repetition.ts'

function timed(...texts: string[]) {
  return texts.map((text, index) => ({ startMs: index * 1000, endMs: index * 1000 + 900, text }))
}

test('makes one of a segment that is repeated over and over', () => {
  const { texts, isShortened } = shortenRepetition(
    timed('hello', 'thank you', 'thank you', 'thank you', 'thank you', 'thank you', 'bye'),
  )
  expect(texts).toEqual([
    { startMs: 0, endMs: 900, text: 'hello' },
    { startMs: 1000, endMs: 5900, text: 'thank you' },
    { startMs: 6000, endMs: 6900, text: 'bye' },
  ])
  expect(isShortened).toBe(true)
})

test.each(['go on '.repeat(12), 'هغه راغی '.repeat(9), 'a b c '.repeat(40)])(
  'makes one of a phrase that is repeated over and over: %s',
  (loop) => {
    const { texts, isShortened } = shortenRepetition(timed(`he said ${loop}and left`))
    expect(texts[0]?.text).toMatch(/^he said (go on|هغه راغی|a b c) and left$/)
    expect(isShortened).toBe(true)
  },
)

test('leaves what people repeat', () => {
  const said = timed('yes yes yes yes yes', 'no no no', 'no no no', 'zero zero zero zero', 'no', 'no', 'no', 'no')
  expect(shortenRepetition(said)).toEqual({ texts: said, isShortened: false })
})

test('a word is not a repetition of its own end', () => {
  const said = timed(`${'ha '.repeat(5)}haha`)
  expect(shortenRepetition(said).isShortened).toBe(false)
})

test('takes a long text without repetition at once', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
  expect(shortenRepetition(timed(words)).isShortened).toBe(false)
})

test('merges an utterance heard twice', () => {
  expect(mergeSame(timed('one', 'one', 'two'), 1).map(({ text }) => text)).toEqual(['one', 'two'])
})
