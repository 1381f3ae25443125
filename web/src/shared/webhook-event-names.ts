import type { WebhookDelivery } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'

/** Human-readable names of the webhook events. */
export const eventNames: Record<WebhookDelivery['event'], string> = {
  'job.finished': t('Job finished'),
  'job.failed': t('Job failed'),
  'alert.raised': t('Alert'),
  ping: t('Test|event'),
}
