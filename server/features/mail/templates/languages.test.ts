import { describe, expect, test } from 'vitest'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { interfaceLanguages, type InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import { speak } from '#contract/texts/speak.ts'
import { createInterfaceTexts } from '#server/http/interface-texts.ts'
import { passwordResetMail, twoFactorChangedMail, verificationMail } from './account-mails.ts'
import { addressChangeMail } from './address-mails.ts'
import { alertDigestMail } from './alert-mails.ts'
import { apiKeyCreatedMail } from './integration-mails.ts'
import { invitationMail } from './invitation-mail.ts'
import type { MailTemplate } from './layout.ts'
import { libraryOpenedNotice } from './library-mails.ts'
import { instanceWarningMail } from './warning-mails.ts'

const texts = createInterfaceTexts({ correctionsDir: 'none', log: { warn: () => undefined } })
const nadia = { firstName: 'Nadia', username: 'nadia' }
const at = new Date('2026-11-26T18:05:00Z')
const links = { publicUrl: 'https://awaz.example.org', token: 'abc' }

async function render(code: InterfaceLanguageCode, mail: MailTemplate) {
  const spoken = await texts.textsOf(code)
  return speak(spoken, mail.render)
}

describe.each(Object.keys(interfaceLanguages) as InterfaceLanguageCode[])('a mail in %s', (code) => {
  test('says which language it is in and how it runs, and keeps link and code', async () => {
    const reset = await render(code, passwordResetMail(nadia, { ...links, code: '012345' }))
    const direction = `lang="${code}" dir="${interfaceLanguages[code].direction}"`
    expect(reset.html).toContain(`<html ${direction}>`)
    expect(reset.html).toContain(`<div ${direction} `)
    for (const part of [reset.text, reset.html])
      expect(part).toContain('https://awaz.example.org/reset-password?token=abc')
    expect(reset.text).toMatch(/^ {4}012345$/m)
    expect(reset.html).toContain('>012345<')
  })

  test('has every value in its sentences', async () => {
    const mails = [
      addressChangeMail(nadia, { email: 'new@example.org', effectiveAt: at, url: 'https://awaz.example.org/stop' }),
      invitationMail({
        firstName: '',
        inviterName: 'Samir',
        days: 3,
        expiresAt: at,
        url: 'https://awaz.example.org/i',
      }),
      libraryOpenedNotice(nadia, {
        owner: 'owner@example.org',
        actor: 'actor@example.org',
        proof: 'code',
        restoredEmail: 'former@example.org',
      }),
      apiKeyCreatedMail(nadia, { scope: 'read', expiresAt: at }),
    ]
    const [change, invitation, opened, key] = await Promise.all(mails.map((mail) => render(code, mail)))
    expect(change?.text).toMatch(/new@example\.org.*UTC|UTC.*new@example\.org/)
    expect(invitation?.text).toContain('Samir')
    for (const name of ['owner', 'actor', 'former']) expect(opened?.text).toContain(`${name}@example.org`)
    for (const { subject, text } of [change, invitation, opened, key].filter((mail) => mail !== undefined))
      expect(`${subject}${text}`).not.toMatch(/[{}]/)
  })
})

test('figures and dates follow the language: its digits and its calendar, without an era', async () => {
  const digest = { alertCount: 12, recordingCount: 1, quotes: [], url: 'https://awaz.example.org/alerts' }
  expect((await render('fa', alertDigestMail(nadia, digest))).subject).toBe('۱۲ هشدار تازه')
  expect((await render('ar', alertDigestMail(nadia, { ...digest, alertCount: 2 }))).subject).toBe('تنبيهان جديدان')
  const key = apiKeyCreatedMail(nadia, { scope: 'write', expiresAt: at })
  expect((await render('fa', key)).text).toContain('۵ آذر ۱۴۰۵')
  expect((await render('ps', key)).text).toContain('تر ۱۴۰۵ لیندۍ ۵ پورې')
  expect((await render('en', key)).text).toContain('until 2026-11-26.')
})

test('a Persian mail leaves the next one in English, even where it fails', async () => {
  const persian = await render('fa', twoFactorChangedMail(nadia, 'enable'))
  expect(persian.subject).toBe('تأیید دومرحله‌ای فعال شد')
  expect(persian.text).toMatch(/^سلام Nadia،/)
  const fails = () => {
    throw new Error('not rendered')
  }
  await expect(render('fa', { language: 'fa', render: fails })).rejects.toThrow('not rendered')
  expect(verificationMail(nadia, links).render().subject).toBe('Verify your e-mail address')
})

test('a warning is told in the language of the super admin, with the values that the server put in', async () => {
  const warnings: InstanceWarning[] = [
    {
      code: 'certificate_ends',
      severity: 'problem',
      title: 'The certificate of PUBLIC_URL has expired',
      remedy: 'Renew it, or check that it is renewed by itself (certbot renew --dry-run).',
    },
    {
      code: 'sign_ins_fail',
      severity: 'warning',
      title: '120 sign-ins failed within an hour',
      remedy: 'Somebody wrote this sentence only here.',
    },
  ]
  const both = instanceWarningMail(nadia, { warnings, url: 'https://awaz.example.org/admin/system' })
  const { text, subject } = await render('ur', both)
  expect(subject).toContain('Awaz')
  expect(text).not.toContain('The certificate')
  expect(text).not.toContain('sign-ins failed')
  expect(text).toContain('120')
  expect(text).toContain('۔ Somebody wrote this sentence only here.')
  const arabic = await render('ar', both)
  expect(arabic.text).toMatch(/\p{Script=Arabic}.*120/u)
})
