import { expect, test } from 'vitest'
import { verificationMail } from './account-mails.ts'
import { alertDigestMail } from './alert-mails.ts'
import { invitationMail } from './invitation-mail.ts'

const reader = { firstName: 'احمد', username: 'ahmad' }

test('a mail isolates the names in its sentences: by characters in its text, by elements in its HTML', () => {
  const { text, html } = alertDigestMail(reader, {
    alertCount: 1,
    recordingCount: 1,
    quotes: [
      {
        recording: '1168_پشاور_2026-10-01.mp3',
        watchList: 'بندر 7',
        timeMs: 3000,
        speaker: 'احمد شاه (Kandahar)',
        sentence: 'پیسې راوړه 5.',
      },
    ],
    url: 'https://awaz.example.org/alerts',
  }).render()
  expect(text).toContain('Hello \u2068احمد\u2069,')
  const file = '\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069'
  const place = `${file} · 00:00:03 · \u2068احمد شاه (Kandahar)\u2069 · \u2068بندر 7\u2069`
  expect(text).toContain(`${place}: \u2068پیسې راوړه 5.\u2069`)
  expect(html).toContain('Hello <bdi>احمد</bdi>,')
  expect(html).toContain('<bdi>1168_<bdi>پشاور</bdi>_2026-10-01.mp3</bdi> · 00:00:03 · <bdi>احمد شاه (Kandahar)</bdi>')
  expect(html).toContain('<bdi>پیسې راوړه 5.</bdi>')
})

test('an invitation isolates who invites', () => {
  const facts = { firstName: '', days: 3, expiresAt: new Date(0), url: 'https://awaz.example.org' }
  const { text, html } = invitationMail({ ...facts, inviterName: 'احمد شاه (Kandahar)' }).render()
  expect(text).toContain('\u2068احمد شاه (Kandahar)\u2069 invites you')
  expect(html).toContain('<bdi>احمد شاه (Kandahar)</bdi> invites you')
})

test('a name cannot put an element into the HTML of a mail', () => {
  const { html } = invitationMail({
    firstName: '',
    days: 1,
    expiresAt: new Date(0),
    url: 'https://awaz.example.org',
    inviterName: 'احمد\u2069\u2069<b>',
  }).render()
  expect(html).toContain('<bdi>احمد&lt;b&gt;</bdi> invites you')
  const toAnne = verificationMail({ firstName: 'Anne', username: 'a' }, { publicUrl: 'x', token: 'y' }).render()
  expect(toAnne.html).not.toContain('bdi')
})
