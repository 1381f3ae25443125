import type { WebhookDelivery } from '#contract/entities/webhook.ts'

/** What a person calls the events of webhooks. */
export const eventNames: Record<WebhookDelivery['event'], string> = {
  'job.finished': 'Job finished',
  'job.failed': 'Job failed',
  'alert.raised': 'Alert',
  ping: 'Test',
}
