import type { ApiKeyScope } from '#contract/entities/api-key.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

const scopeTexts: Record<ApiKeyScope, string> = {
  read: 'read your recordings and their texts',
  write: 'read and change your recordings and their texts',
}

/** Names neither the key nor its token. */
export function apiKeyCreatedMail(
  addressee: MailRecipient,
  { scope, expiresAt }: { scope: ApiKeyScope; expiresAt: Date },
): RenderedMail {
  return layout({
    subject: 'An API key was created',
    greeting: greetingFor(addressee),
    paragraphs: [
      `An API key was created for your account. Programs that have it can ${scopeTexts[scope]} until ${expiresAt.toISOString().slice(0, 10)}.`,
    ],
    closing: 'If this was not you, please revoke it in your settings under Integrations and tell your administrator.',
  })
}

/** Names the receiver by its host only: its path may be a secret. */
export function webhookSwitchedOffMail(
  addressee: MailRecipient,
  { host, url }: { host: string; url: string },
): RenderedMail {
  return layout({
    subject: 'A webhook was switched off',
    greeting: greetingFor(addressee),
    paragraphs: [
      `Your webhook to ${host} was switched off, because all deliveries failed for more than a day. What waits is kept and sent when you switch it on again.`,
    ],
    link: { label: 'Open Integrations', url },
    closing: 'The log of the webhook says why the deliveries failed.',
  })
}
