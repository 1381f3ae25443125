import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { createSmtp, type MailServerState } from '#server/features/mail/smtp.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'mail.silent': {
    severity: 'problem',
    title: 'The mail server does not answer',
    why: 'Invitations, password resets and alerts wait in the outbox.',
    remedy: 'Check host and port of SMTP_URL, and the firewall (docs/mail.md).',
  },
  'mail.refuses_login': {
    severity: 'problem',
    title: 'The mail server refuses the user name or password',
    why: 'Invitations, password resets and alerts wait in the outbox.',
    remedy: 'Correct user name and password in SMTP_URL, and restart.',
  },
  'mail.untrusted': {
    severity: 'problem',
    title: 'The certificate of the mail server is not trusted',
    why: 'Nothing is sent, so that nobody in between reads it.',
    remedy: 'Renew its certificate, or set SMTP_CA to the certificate of its authority.',
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
const states: Record<
  Exclude<MailServerState, 'accepts'>,
  { code: keyof typeof findings; what: (host: string) => string }
> = {
  is_silent: { code: 'mail.silent', what: (host) => `The mail server ${host} does not answer.` },
  refuses_login: {
    code: 'mail.refuses_login',
    what: (host) => `The mail server ${host} refuses our user name or password.`,
  },
  is_untrusted: {
    code: 'mail.untrusted',
    what: (host) => `The mail server ${host} has a certificate that is not trusted.`,
  },
}

/** The mail server: connects and logs in, and sends nothing. */
export const mailCheck: Check<DatabaseContext> = { name: 'mail', findings, run }

async function run({ config, connection }: DatabaseContext): Promise<Finding[]> {
  const { smtpUrl, smtpCa, mailFrom: from } = config
  if (smtpUrl === undefined) return [finding('mail.none', 'SMTP_URL is not set.')]
  const smtp = createSmtp({ smtpUrl, smtpCa, from })
  const found: Finding[] = []
  try {
    const state = await smtp.verify()
    if (state !== 'accepts') {
      const { code, what } = states[state]
      found.push(finding(code, what(new URL(smtpUrl).host)))
    }
  } finally {
    smtp.close()
  }
  const failing = await createOutboxRepository(connection).countFailing()
  if (failing === 1) found.push(finding('mail.failing', 'One mail was refused and waits.'))
  else if (failing > 1) found.push(finding('mail.failing', `${failing} mails were refused and wait.`))
  return found
}
