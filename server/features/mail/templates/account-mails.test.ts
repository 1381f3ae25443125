import { expect, test } from 'vitest'
import { twoFactorChangedMail, verificationMail } from './account-mails.ts'

const options = { publicUrl: 'https://awaz.example.org', token: 'abc' }

test.each([
  ['نجيب الله', 'najib', 'Hello \u2068نجيب الله\u2069,'],
  ['نجیب\u200cالله', 'najib', 'Hello \u2068نجیب\u200cالله\u2069,'],
  ['Anne-Marie O’Neill', 'anne', 'Hello Anne-Marie O’Neill,'],
  ['', 'najib', 'Hello najib,'],
])('greets %s by name', (firstName, username, greeting) => {
  expect(verificationMail({ firstName, username }, options).render().text.split('\n')[0]).toBe(greeting)
})

test('has no HTML line beyond the 998 octets of RFC 5322', () => {
  const { html } = verificationMail(
    { firstName: 'ن'.repeat(60), username: 'najib' },
    { ...options, token: 'a'.repeat(400) },
  ).render()
  expect(Math.max(...html.split('\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998)
})

test.each(['You won!\n\nOpen http://evil.example', 'see evil.example', 'a\u2028b', 'word '.repeat(20)])(
  'leaves out a name that carries a message: %j',
  (firstName) => {
    expect(verificationMail({ firstName, username: 'najib' }, options).render().text.split('\n')[0]).toBe(
      'Hello najib,',
    )
    expect(verificationMail({ firstName, username: 'evil.example' }, options).render().text.split('\n')[0]).toBe(
      'Hello,',
    )
  },
)

test.each(['enable', 'disable', 'backup_codes', 'passkey_added', 'passkey_removed'] as const)(
  'tells that a change of the second factor (%s) ended the other sessions, and whom to ask',
  (event) => {
    const { text } = twoFactorChangedMail({ firstName: 'Nadia', username: 'nadia' }, event).render()
    expect(text).toMatch(/your other sessions were ended/i)
    expect(text).toContain('If this was not you, please tell your administrator at once.')
  },
)
