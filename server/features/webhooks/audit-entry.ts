import type { WebhookRecord } from '#data/webhooks/webhooks.ts'
import type { AuditEntry } from '../audit/service.ts'

/** Returns the audit entry for a change to a webhook. It names only the host: the rest of an address is often a secret. */
export function webhookEntry(
  event: 'create' | 'change' | 'remove' | 'switched_off',
  { id, url, events, isEnabled }: WebhookRecord,
  actor: { id: string; email: string },
): AuditEntry {
  const details = `${new URL(url).host}, ${events.join(' ')}, ${isEnabled ? 'on' : 'off'}`
  return { action: `webhook.${event}`, outcome: 'success', actor, target: id, details }
}
