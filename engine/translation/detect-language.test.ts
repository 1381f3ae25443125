import { expect, test } from 'vitest'
import { detectLanguage, hasLetters } from './detect-language.ts'

test.each([
  ['en', 'All human beings are born free and equal in dignity and rights.'],
  ['ps', 'ټول انسانان آزاد نړۍ ته راځي او د حیثیت او حقوقو له مخې سره برابر دي.'],
  ['ur', 'تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔'],
  ['fa', 'تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.'],
  ['ar', 'يولد جميع الناس أحراراً متساوين في الكرامة والحقوق.'],
  ['ps', 'زما ورور نن غوسه دی'],
  ['ur', 'میرا بھائی آج ناراض ہے'],
  ['fa', 'برادر من امروز عصبانی است'],
  ['ar', 'أخي غاضب اليوم'],
  ['ar', 'والسلاح'],
  ['ja', 'これは本です'],
  ['zh', '这是一本书'],
  ['he', 'שלום עולם'],
])('detects %s', (language, text) => {
  expect(detectLanguage(text)).toBe(language)
})

test('uses the script of most of the text', () => {
  expect(detectLanguage('زما ورور په NATO کې کار کوي')).toBe('ps')
  expect(detectLanguage('the word وسله means weapon')).toBe('en')
})

test.each(['', '12 34', '😀', 'Привет, мир', 'नमस्ते दुनिया'])('does not guess for %j', (text) => {
  expect(detectLanguage(text)).toBeNull()
})

test('digits of any script are no letters', () => {
  expect(hasLetters('12 ۳۴ ٥٦ -!')).toBe(false)
  expect(hasLetters('۳ بم')).toBe(true)
})
