import { describe, expect, test } from 'vitest'
import { checkCompletion } from './check-completion.ts'
import { garbageLanguage } from './testing/garbage-language.ts'
import { garbageMarks } from './testing/garbage-marks.ts'
import { garbageTalk } from './testing/garbage-talk.ts'
import { good } from './testing/good.ts'
import { money, road } from './testing/lines.ts'

const garbage = [...garbageTalk, ...garbageMarks, ...garbageLanguage]
const toEnglish = { source: 'ps', target: 'en' }

test('the tables have their minimum size', () => {
  expect(garbageTalk.length + garbageMarks.length).toBeGreaterThanOrEqual(180)
  expect(garbage.length).toBeGreaterThanOrEqual(300)
  expect(good.length).toBeGreaterThanOrEqual(120)
})

describe('garbage', () => {
  test.each(garbage)('%j from %s to %s: %j is no translation', (text, source, target, completion, ...reasons) => {
    const verdict = checkCompletion(completion, { text, pair: { source, target } })
    expect(reasons).toContain('reason' in verdict ? verdict.reason : 'passed')
  })
})

describe('translations', () => {
  test.each(good)('%j from %s to %s: %j passes as it is', (text, source, target, completion) => {
    expect(checkCompletion(completion, { text, pair: { source, target } })).toEqual({ translation: completion })
  })
})

describe('what is removed from a completion', () => {
  test.each([
    ['white space', '  hello \n', 'سلام', 'hello'],
    ['quotation marks', '"hello"', 'سلام', 'hello'],
    ['typographic quotation marks', '«hello»', 'سلام', 'hello'],
    ['a label', 'Translation: hello', 'سلام', 'hello'],
    ['the name of the language', 'English: hello', 'سلام', 'hello'],
    ['both', 'English translation: "hello"', 'سلام', 'hello'],
    ['the text in front', 'سلام\nhello', 'سلام', 'hello'],
    ['finished thoughts', '<think>سلام is a greeting.</think>\n\nhello', 'سلام', 'hello'],
    ['line breaks the text has not', 'hello\nfriend', 'سلام ملګریه', 'hello friend'],
  ])('%s', (_, completion, text, translation) => {
    expect(checkCompletion(completion, { text, pair: toEnglish })).toEqual({ translation })
  })

  test.each([
    ['quotation marks that the text has', '"hello"', '"سلام"'],
    ['quotation marks round two parts', '"a" and "b"', 'الف او ب'],
    ['an apostrophe', "'tis he's", 'سلام'],
    ['line breaks that the text has', 'hello\nfriend', 'سلام\nملګریه'],
    ['a list that the text is', '1. hello', '1. سلام'],
    ['marks of a chat format that the text has', 'hello <|im_end|>', 'سلام <|im_end|>'],
  ])('not %s', (_, completion, text) => {
    expect(checkCompletion(completion, { text, pair: toEnglish })).toEqual({ translation: completion })
  })
})

test('an example or a preceding line, repeated for another line, is an echo', () => {
  const shown = [{ text: money.ps, translation: money.en }]
  const options = { pair: toEnglish, shown }
  expect(checkCompletion(`${money.en}.`, { ...options, text: road.ps })).toEqual({ reason: 'echo' })
  expect(checkCompletion(money.en, { ...options, text: money.ps })).toEqual({ translation: money.en })
  expect(
    checkCompletion('Yes.', { pair: toEnglish, text: 'هو', shown: [{ text: 'هو جی', translation: 'Yes' }] }),
  ).toEqual({
    translation: 'Yes.',
  })
})
