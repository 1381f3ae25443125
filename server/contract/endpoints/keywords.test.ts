import { expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { keywords } from './keywords.ts'

const none = { threats: [], sentiment: [], intent: [], custom: [] }

test('all keywords are replaced by four lists, as they are or in a field', () => {
  const { body } = keywords.replace
  expect(body.parse({ threats: [' BOMB '] })).toEqual({ ...none, threats: ['bomb'] })
  expect(body.parse({ keywords: { custom: ['a'], sounds_like: ['a'] } })).toEqual({
    keywords: { ...none, custom: ['a'], sounds_like: ['a'] },
  })
  expect(body.parse({ sounds_like: ['A'] })).toEqual({ ...none, sounds_like: ['a'] })
  expect(body.safeParse({ other: ['a'] }).success).toBe(false)
})

test.each([
  [{ threats: [textOf(29)], custom: many(2000, 'a') }, []],
  [{ sounds_like: many(8000, 'a') }, []],
  [{ intent: [textOf(30)] }, ['A keyword must be shorter than 30 characters']],
  [{ sentiment: [' '] }, ['Sentiment is too short']],
  [{ custom: many(2001, 'a') }, ['Custom is too long']],
  [{ sounds_like: many(8001, 'a') }, ['Sounds like is too long']],
])('lists have limits: %#', (lists, sentences) => {
  expect(complaints(keywords.replace.body.options[0], { keywords: lists })).toEqual(sentences)
})

test.each(['threats', 'sentiment', 'intent', 'custom'])(
  'a keyword is added to %s as written unless it may sound alike',
  (category) => {
    expect(keywords.add.params.parse({ category })).toEqual({ category })
    expect(keywords.clearCategory.params.parse({ category })).toEqual({ category })
    expect(keywords.add.body.parse({ keyword: ' Bomb ' })).toEqual({ keyword: 'bomb', sounds_like: false })
    const keyword = { id, keyword: 'bomb', sounds_like: true, category }
    expect(keywords.add.response.parse({ keyword })).toEqual({ keyword })
  },
)

test('there is no other category', () => {
  expect(complaints(keywords.add.params, { category: 'other' })).toEqual(['Category is not valid'])
  expect(complaints(keywords.clearCategory.params, { category: 'other' })).toEqual(['Category is not valid'])
})

test('keywords are returned by category with their ids', () => {
  const record = { id, keyword: 'bomb', sounds_like: false }
  const answer = { keywords: { threats: [record], sentiment: [record], intent: [record], custom: [record] } }
  expect(keywords.list.response.parse(answer)).toEqual(answer)
  expect(keywords.replace.response.parse(answer)).toEqual(answer)
})
