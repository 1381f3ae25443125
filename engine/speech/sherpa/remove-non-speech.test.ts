import { expect, test } from 'vitest'
import { removeNonSpeech } from './remove-non-speech.ts'

function kept(text: string): string {
  return removeNonSpeech(text.split(' ').map((word) => ({ text: word })))
    .map((word) => word.text)
    .join(' ')
}

test.each([
  ['[Music]', ''],
  ['[wind blowing] Come in.', 'Come in.'],
  ['Come in. [door closes].', 'Come in.'],
  ['(wind blowing)', ''],
  ['*sighs*', ''],
  ['♪ la la la ♪', ''],
  ['Come in (she said) and sit.', 'Come in (she said) and sit.'],
  ['[a bracket that is opened and never closed at all', '[a bracket that is opened and never closed at all'],
  ['سلام دنیا', 'سلام دنیا'],
])('%s', (text, expected) => {
  expect(kept(text)).toBe(expected)
})
