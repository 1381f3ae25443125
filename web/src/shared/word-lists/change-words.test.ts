import { expect, it } from 'vitest'
import { addWords, findProblem } from './change-words.ts'

it('a list has a problem with one word too many, which goes with a word that is there already', () => {
  const words = Array.from({ length: 500 }, (_, index) => ({ word: `Name ${index}`, heard_as: [] }))
  expect(findProblem(addWords([{ word: 'Kabul', heard_as: [] }])(words))).toBe('A list has at most 500 words')
  expect(findProblem(addWords([{ word: 'Name 7', heard_as: ['Nam 7'] }])(words))).toBeUndefined()
})
