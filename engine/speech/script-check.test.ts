import { expect, test } from 'vitest'
import { checkScript } from './script-check.ts'

const pashto = 'زما ورور نن غوسه دی او موږ به سبا بازار ته ولاړ شو '
const persian = 'امروز برادر من عصبانی است و ما فردا به بازار خواهیم رفت '
const urdu = 'میرا بھائی آج ناراض ہے اور ہم کل بازار جائیں گے '

test.each([
  ['ps', pashto.repeat(20)],
  ['ur', urdu.repeat(20)],
  ['fa', persian.repeat(20)],
  ['ar', 'أخي غاضب اليوم وسنذهب إلى السوق غدا '.repeat(20)],
  ['en', 'my brother is angry today'],
  ['ps', `${pashto} WhatsApp`],
])('accepts %s in its own script', (language, text) => {
  expect(checkScript(text, language)).toBeUndefined()
})

test.each(['ps', 'ur', 'fa', 'ar'])('warns of %s in Latin letters', (language) => {
  expect(checkScript('zama wror nan ghosa day', language)).toMatchObject({ code: 'script_mismatch' })
})

test('names the speaker and the language', () => {
  expect(checkScript('Мой брат злится сегодня', 'ps', 'Speaker A')?.message).toBe(
    'The transcript of Speaker A should be Pashto but is not in Arabic script. The speech model may not know Pashto: do not rely on this text.',
  )
})

test('warns of long Pashto or Urdu that is actually Persian', () => {
  expect(checkScript(persian.repeat(10), 'ps')?.message).toContain('none of the letters of Pashto')
  expect(checkScript(persian.repeat(10), 'ur')?.message).toContain('none of the letters of Urdu')
})

test('does not warn of a short text without specific letters', () => {
  expect(checkScript('زما ورور نن غوسه دی', 'ps')).toBeUndefined()
})

test.each([
  ['ps', ''],
  ['ps', '5 5 5'],
  ['de', 'не по-немецки'],
])('does not warn of %s %j', (language, text) => {
  expect(checkScript(text, language)).toBeUndefined()
})
