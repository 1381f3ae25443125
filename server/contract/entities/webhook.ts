import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'

/** The events for which a webhook can be called. */
export const webhookEvents = ['job.finished', 'job.failed', 'alert.raised'] as const
export const WebhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const maxWebhooks = 10
/** The maximum number of deliveries in the log of one webhook. */
export const maxShownDeliveries = 50

/** A webhook of a user, without its signing secret. */
export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEvent),
  is_enabled: z.boolean(),
  /** When it was switched off because its receiver kept failing; null otherwise. */
  switched_off_at: Moment.nullable(),
  created_at: Moment,
  /** The outcome of the last attempt; null before the first. */
  last_attempt: z.object({ at: Moment, is_delivered: z.boolean() }).nullable(),
})
export type Webhook = z.infer<typeof Webhook>

/** One event sent to one webhook, and its outcome. */
export const WebhookDelivery = z.object({
  id: Id,
  event: z.enum([...webhookEvents, 'ping']),
  state: z.enum(['waiting', 'delivered', 'failed']),
  created_at: Moment,
  /** The number of attempts made. */
  attempts: z.int().nonnegative(),
  last_attempt_at: Moment.nullable(),
  /** The time of the next attempt; null when there is none. */
  next_attempt_at: Moment.nullable(),
  /** The status of the last attempt; null when there was no response. */
  status: z.int().nullable(),
  duration_ms: z.int().nonnegative().nullable(),
  /** Why the last attempt failed; null otherwise. */
  error: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
