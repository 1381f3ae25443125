import type { ApiKeyScope } from '#contract/entities/api-key.ts'
import { t } from '#contract/texts/t.ts'
import { formatDay } from './dates.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Names neither the key nor its token. */
export function apiKeyCreatedMail(
  addressee: MailRecipient,
  { scope, expiresAt }: { scope: ApiKeyScope; expiresAt: Date },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('An API key was created'),
    paragraphs: [
      t(
        'An API key was created for your account. Programs that have it can {scope, select, read {read your recordings and their texts} other {read and change your recordings and their texts}} until {day}.',
        { scope, day: formatDay(expiresAt) },
      ),
    ],
    closing: t(
      'If this was not you, please revoke it in your settings under Integrations and tell your administrator.',
    ),
  }))
}

/** Names only the receiver's host: its path may be secret. */
export function webhookSwitchedOffMail(
  addressee: MailRecipient,
  { host, url }: { host: string; url: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('A webhook was switched off'),
    paragraphs: [
      t(
        'Your webhook to {host} was switched off, because all deliveries failed for more than a day. What waits is kept and sent when you switch it on again.',
        { host },
      ),
    ],
    link: { label: t('Open Integrations'), url },
    closing: t('The log of the webhook says why the deliveries failed.'),
  }))
}
