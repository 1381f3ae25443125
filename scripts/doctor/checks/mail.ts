import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { createSmtp, type MailServerState } from '#server/features/mail/smtp.ts'
import { amountTexts } from '#server/features/system/state/amount-texts.ts'
import { mailHealthIssues, healthIssues } from '#server/features/system/state/health-issues.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'mail.silent': {
    ...healthIssues['mail.silent'],
    why: 'Invitations, password resets and alerts wait in the outbox.',
  },
  'mail.refuses_login': {
    ...healthIssues['mail.refuses_login'],
    why: 'Invitations, password resets and alerts wait in the outbox.',
  },
  'mail.untrusted': {
    ...healthIssues['mail.untrusted'],
    why: 'Nothing is sent, so that nobody in between reads it.',
  },
  'mail.failing': {
    severity: 'warning',
    title: 'Mails wait to be tried again',
    why: 'They were refused at least once.',
    remedy: 'Page Mail shows each with its reason.',
  },
  'mail.none': {
    severity: 'note',
    title: 'No mail server is set',
    why: 'Every mail waits on the page Mail to be handed over by hand.',
    remedy: 'Set SMTP_URL and MAIL_FROM (docs/mail.md).',
  },
} as const

const finding = findingsOf(findings)
const states: Record<Exclude<MailServerState, 'accepts'>, { what: (host: string) => string }> = {
  is_silent: { what: (host) => `The mail server ${host} does not answer.` },
  refuses_login: { what: (host) => `The mail server ${host} refuses our user name or password.` },
  is_untrusted: { what: (host) => `The mail server ${host} has a certificate that is not trusted.` },
}

/** Checks the mail server: connects and logs in, but sends nothing. */
export const mailCheck: Check<DatabaseContext> = { name: 'mail', findings, run }

async function run({ config, connection }: DatabaseContext): Promise<Finding[]> {
  const { smtpUrl, smtpCa, mailFrom: from } = config
  if (smtpUrl === undefined) return [finding('mail.none', 'SMTP_URL is not set.')]
  const smtp = createSmtp({ smtpUrl, smtpCa, from })
  const found: Finding[] = []
  try {
    const state = await smtp.verify()
    if (state !== 'accepts') found.push(finding(mailHealthIssues[state], states[state].what(new URL(smtpUrl).host)))
  } finally {
    smtp.close()
  }
  const failing = await createOutboxRepository(connection).countFailing()
  if (failing > 0) found.push(finding('mail.failing', `Refused and waiting: ${amountTexts.mails(failing)}.`))
  return found
}
