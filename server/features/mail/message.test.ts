import { expect, test } from 'vitest'
import { composeMessage } from './message.ts'

const link = `http://localhost:3000/reset-password?token=${'t'.repeat(64)}`
const mail = { subject: 'Your code', text: `Hello نجيب,\n\n${link}\n`, html: `<a href="${link}">Reset</a>` }
const header = { from: 'Awaz <awaz@example.org>', to: 'najib@example.org', date: new Date(0) }

/** Decodes the quoted-printable bodies of a message. */
function decode(message: string): string {
  const bytes = message
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('is 7-bit in lines of at most 78 characters, and decodes to both bodies', async () => {
  const html = `${mail.html}${'<p>Text</p>'.repeat(200)}`
  const message = String(await composeMessage({ ...mail, html }, header))
  expect(message).not.toMatch(/[^\x20-\x7e\r\n]/)
  expect(Math.max(...message.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78)
  const lines = decode(message).split('\r\n')
  expect(lines).toContain('Hello نجيب,')
  expect(lines).toContain(link)
  expect(lines).toContain(html)
})

test('a line break in an address or subject adds no header', async () => {
  const injected = 'x\r\nBcc: evil@example.org'
  const message = String(await composeMessage({ ...mail, subject: injected }, { ...header, to: injected }))
  expect(message).toContain('\r\nSubject: x Bcc: evil@example.org\r\n')
  expect(message).not.toMatch(/^Bcc:/m)
})
