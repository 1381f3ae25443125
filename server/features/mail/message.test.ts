import { expect, test } from 'vitest'
import { composeMessage } from './message.ts'

const link = `http://localhost:3000/reset-password?token=${'t'.repeat(64)}`
const mail = { subject: 'Your code', text: `Hello نجيب,\n\n${link}\n`, html: `<a href="${link}">Reset</a>` }
const header = { from: 'Awaz <awaz@example.org>', to: 'najib@example.org', date: new Date(0) }

test('a link is whole in both bodies', async () => {
  const lines = String(await composeMessage(mail, header)).split('\r\n')
  expect(lines).toContain('Hello نجيب,')
  expect(lines).toContain(link)
  expect(lines).toContain(`<a href="${link}">Reset</a>`)
})

test('a line break in an address or subject adds no header', async () => {
  const injected = 'x\r\nBcc: evil@example.org'
  const message = String(await composeMessage({ ...mail, subject: injected }, { ...header, to: injected }))
  expect(message).toContain('\r\nSubject: x Bcc: evil@example.org\r\n')
  expect(message).not.toMatch(/^Bcc:/m)
})
