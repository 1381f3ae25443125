import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** What a webhook can be called for. */
export const webhookEvents = ['job.finished', 'job.failed', 'alert.raised'] as const
export const WebhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const maxWebhooks = 10
/** Of one webhook, as its log shows them. */
export const maxShownDeliveries = 50

/** A webhook of a user, without its signing secret. */
export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEvent),
  is_enabled: z.boolean(),
  /** When it was switched off because its receiver kept failing; null where it was not. */
  switched_off_at: Moment.nullable(),
  created_at: Moment,
  /** The outcome of the last attempt; null before the first. */
  last_attempt: z.object({ at: Moment, is_delivered: z.boolean() }).nullable(),
})
export type Webhook = z.infer<typeof Webhook>

/** One event for one webhook, and its outcome. */
export const WebhookDelivery = z.object({
  id: Id,
  event: z.enum([...webhookEvents, 'ping']),
  state: z.enum(['waiting', 'delivered', 'failed']),
  created_at: Moment,
  /** Attempts made. */
  attempts: z.int().nonnegative(),
  last_attempt_at: Moment.nullable(),
  /** When it is sent next; null where it is not. */
  next_attempt_at: Moment.nullable(),
  /** Of the last attempt; null where no response came. */
  status: z.int().nullable(),
  duration_ms: z.int().nonnegative().nullable(),
  /** Why the last attempt failed; null where it did not. */
  error: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
