import { expect, test } from 'vitest'
import { latinKey } from './latin-key.ts'

test.each([
  // Latin keyboards: what counts is the character that a key types.
  ['/', 'Slash', '/'],
  ['/', 'Digit7', '/'],
  ['-', 'Slash', '-'],
  ['?', 'Minus', '?'],
  ['Z', 'KeyY', 'z'],
  ['Enter', 'Enter', 'enter'],
  ['ArrowLeft', 'ArrowLeft', 'arrowleft'],
  // Persian.
  ['ن', 'KeyK', 'k'],
  ['/', 'Slash', '/'],
  ['؟', 'Slash', '?'],
  ['۰', 'Digit0', '0'],
  ['\u200C', 'Space', ' '],
  // Arabic: letters take the place of more punctuation marks, and one key types two letters.
  ['ظ', 'Slash', '/'],
  ['لا', 'KeyB', 'b'],
  ['٠', 'Digit0', '0'],
  // Urdu and Pashto.
  ['ھ', 'KeyO', 'o'],
  ['ټ', 'KeyT', 't'],
  ['Unidentified', '', 'unidentified'],
])('%s at %s is the key %s', (key, code, expected) => {
  expect(latinKey({ key, code })).toBe(expected)
})
