import { describe, expect, test } from 'vitest'
import { createSpellingSearch } from './find-spellings.ts'
import { compareNames, soundOf } from './name-sound.ts'
import { searchKeys, storedKeys } from './sound-key.ts'

/** Returns whether a query with one spelling finds the other: first by its key, then by its sound. */
function isFound(query: string, text: string): boolean {
  const [a, b] = [soundOf(query.split(' ')), soundOf(text.split(' '))]
  if (!a || !b) return false
  const keys = searchKeys(a)
  return storedKeys(b).some((key) => keys.includes(key)) && compareNames(a, b) !== undefined
}

describe('one name', () => {
  test.each([
    ['q, k and gh', ['قندهار', 'کندهار', 'qandahar', 'kandahar', 'ghandehar']],
    ['short vowels', ['muhammad', 'mohammad', 'mohamed', 'محمد']],
    ['long vowels', ['karim', 'kareem', 'کریم']],
    ['v, w and u', ['dawud', 'daud', 'davood', 'داود', 'داوود']],
    ['kh and x', ['khost', 'xost', 'خوست']],
    ['the article', ['zarqawi', 'al zarqawi', 'زرقاوی', 'الزرقاوی']],
    ['the article of a compound', ['abdul rahman', 'abdurrahman', 'عبدالرحمن', 'عبد الرحمان']],
    ['-ullah', ['najibullah', 'najib ullah', 'najibollah', 'نجیب الله']],
    ['-uddin', ['jalaluddin', 'jalal ud din', 'جلال الدین']],
    ['-zai', ['yusufzai', 'yousafzai', 'یوسفزی']],
    ['-abad in one word or two', ['islamabad', 'islam abad', 'اسلام اباد', 'اسلاماباد']],
    ['Pashto letters', ['spozhmai', 'سپوږمی', 'spozhmay']],
    ['heh at the end', ['fatima', 'fatemeh', 'فاطمه']],
    ['ain', ['omar', 'umar', 'عمر']],
    ['the article before a short name', ['doha', 'الدوحه', 'دوحه']],
    ['diphthongs', ['nowruz', 'nawruz', 'noruz', 'نوروز']],
    ['a vowel before s and another consonant', ['stanekzai', 'istanekzai', 'ستانکزی']],
    ['gu before a vowel', ['naguib', 'najib', 'نجیب']],
    ['heh or a long vowel at the end', ['jinnah', 'jinna', 'جناح']],
  ])('%s', (_, spellings) => {
    for (const query of spellings)
      for (const text of spellings) expect([query, text, isFound(query, text)]).toEqual([query, text, true])
  })
})

describe('two names', () => {
  test.each([
    ['muhammad', 'محمود'],
    ['muhammad', 'احمد'],
    ['hasan', 'حسین'],
    ['karim', 'اکرم'],
    ['jamal', 'جمیل'],
    ['amin', 'من'],
    ['kabul', 'قبلا'],
  ])('%s and %s', (one, other) => {
    expect(isFound(one, other)).toBe(false)
    expect(isFound(other, one)).toBe(false)
  })
})

test('what is no name has no sound: few letters, digits, other scripts', () => {
  for (const word of ['ab', 'a1b2', 'Москва', 'mixedکلمه', 'x'.repeat(41)]) expect(soundOf([word])).toBeUndefined()
})

test('other spellings are found in a text, where they stand', () => {
  const find = createSpellingSearch()
  const text = 'از قندهار تا Kandahar'
  expect(find('Qandahar', text).map(([from, to]) => text.slice(from, to))).toEqual(['قندهار', 'Kandahar'])
  expect(find('Kabul', text)).toEqual([])
})
