import { expect, test } from 'vitest'
import { cleanOutput } from './clean-output.ts'

const toEnglish = { source: 'ps', target: 'en' }

test.each([
  ['white space', '  hello \n', 'سلام', 'hello'],
  ['quotation marks', '"hello"', 'سلام', 'hello'],
  ['typographic quotation marks', '«hello»', 'سلام', 'hello'],
  ['a heading', 'Translation: hello', 'سلام', 'hello'],
  ['a heading with the language', 'English translation: hello', 'سلام', 'hello'],
  ['the text in front', 'سلام\nhello', 'سلام', 'hello'],
  ['line breaks the text has not', 'hello\nfriend', 'سلام ملګریه', 'hello friend'],
])('takes away %s', (_, output, text, cleaned) => {
  expect(cleanOutput(output, text, toEnglish)).toBe(cleaned)
})

test.each([
  ['quotation marks that the text has', '"hello"', '"سلام"'],
  ['quotation marks round two parts', '"a" and "b"', 'الف او ب'],
  ['an apostrophe', "'tis he's", 'سلام'],
  ['line breaks that the text has', 'hello\nfriend', 'سلام\nملګریه'],
  ['a name in its own script', 'حامد', 'حامد'],
])('leaves %s', (_, output, text) => {
  expect(cleanOutput(output, text, toEnglish)).toBe(output)
})

test.each(['', '  \n ', '""'])('an answer of %j is a failure', (output) => {
  expect(() => cleanOutput(output, 'سلام', toEnglish)).toThrow('The translation model gave no answer.')
})

test('an answer in the script of the source is a failure', () => {
  expect(() => cleanOutput('زما ورور دی', 'زما ورور دی', toEnglish)).toThrow('in the language of the text')
})

test('between languages of one script the same words may be the translation', () => {
  expect(cleanOutput('صفر صفر صفر', 'صفر صفر صفر', { source: 'ps', target: 'fa' })).toBe('صفر صفر صفر')
})
