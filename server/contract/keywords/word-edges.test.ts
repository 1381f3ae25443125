import { expect, test } from 'vitest'
import { foldText } from './fold.ts'
import { isWholeWord } from './word-edges.ts'

test.each([
  ['the whole text', 'bomb', 0, 4, true],
  ['a word between blanks', 'a bomb!', 2, 6, true],
  ['the beginning of a word', 'bombs', 0, 4, false],
  ['the end of a word', 'abomb', 1, 5, false],
  ['a word joined by an underscore', 'a_bomb', 2, 6, false],
  ['a word of a hashtag in the Arabic script', 'د_بم', 2, 4, true],
  ['a Latin word beside an Arabic one', 'bombبم', 0, 4, false],
  ['signs alone', '#1!a', 2, 3, true],
  ['a character of a script without spaces', '炸弹', 0, 1, true],
  ['a character without its mark', 'ก็', 0, 1, false],
  ['a character before one of two units that is a letter', 'a𐐨', 0, 1, false],
  ['a character after one of two units that is a letter', '𐐨a', 2, 3, false],
  ['a character beside an emoji', '😀a😀', 2, 3, true],
  ['half of what one character folds to', 'straße', 0, 5, false],
])('%s', (_, text, from, to, isWord) => {
  expect(isWholeWord(foldText(text), from, to)).toBe(isWord)
})
