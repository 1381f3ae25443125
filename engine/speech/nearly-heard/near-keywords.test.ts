import { expect, test } from 'vitest'
import { createNearKeywordFinder } from './near-keywords.ts'

function find(text: string, ...keywords: string[]) {
  return createNearKeywordFinder(keywords)(text.split(' ')).map(({ keyword, first, count }) => [keyword, first, count])
}

test('a word that sounds like a keyword is near it', () => {
  expect(find('دکمی خورج را فشار دهید', 'دکمه', 'خروج')).toEqual([
    ['دکمه', 0, 1],
    ['خروج', 1, 1],
  ])
})

test('a keyword may be written as two words, and two keywords as one', () => {
  expect(find('به مجرد جویی خود', 'ماجراجویی')).toEqual([['ماجراجویی', 1, 2]])
  expect(find('to canda har tomorrow', 'kandahar')).toEqual([['kandahar', 1, 2]])
  expect(find('the handgrenate there', 'hand grenade')).toEqual([['hand grenade', 1, 1]])
})

test('what is written is certain, also beside other words', () => {
  expect(find('و حروف را', 'حروف')).toEqual([])
  expect(find('Kandahár,', 'kandahar')).toEqual([])
})

test('one keyword in place of another is none', () => {
  expect(find('weapon', 'weapons', 'weapon')).toEqual([])
})

test('short keywords and what sounds otherwise are not near', () => {
  expect(find('gum', 'gun')).toEqual([])
  expect(find('the weather today', 'kandahar')).toEqual([])
})

test('at one place the nearest four keywords are near, the nearest first', () => {
  const names = ['karimabab', 'karimabad', 'karimobad', 'kerimabod', 'kerimobod']
  const near = createNearKeywordFinder(names)(['karimabat'])
  expect(near).toHaveLength(4)
  expect(near[0]?.keyword).toBe('karimabad')
})
