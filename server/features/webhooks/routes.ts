import { api } from '#contract/api.ts'
import type { Webhook, WebhookDelivery } from '#contract/entities/webhook.ts'
import type { DeliveryRecord } from '#data/webhooks/deliveries.ts'
import type { WebhookRecord } from '#data/webhooks/webhooks.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Webhooks } from './service.ts'

export function mountWebhooks(router: AppRouter, { webhooks }: { webhooks: Webhooks }): void {
  const { integrations } = api

  route(router, integrations.listWebhooks, async ({ user }) => ({
    webhooks: (await webhooks.listWebhooks(user.id)).map(presentWebhook),
  }))

  route(router, integrations.createWebhook, async ({ user, body, origin }) => {
    const { webhook, secret } = await webhooks.create({ user, origin }, body)
    return { webhook: presentWebhook(webhook), secret }
  })

  route(router, integrations.changeWebhook, async ({ user, params, body, origin }) => {
    const changes = { url: body.url, events: body.events, isEnabled: body.is_enabled }
    return presentWebhook(await webhooks.change({ user, origin }, params.id, changes))
  })

  route(router, integrations.removeWebhook, async ({ user, params, origin }) => {
    await webhooks.remove({ user, origin }, params.id)
    return { message: 'Webhook deleted' }
  })

  route(router, integrations.testWebhook, async ({ user, params }) =>
    presentDelivery(await webhooks.sendTest({ id: params.id, ownerId: user.id })),
  )

  route(router, integrations.listDeliveries, async ({ user, params }) => ({
    deliveries: (await webhooks.list({ id: params.id, ownerId: user.id })).map(presentDelivery),
  }))

  route(router, integrations.retryDelivery, async ({ user, params }) =>
    presentDelivery(await webhooks.retry({ id: params.id, ownerId: user.id }, params.delivery_id)),
  )
}

function presentWebhook(webhook: WebhookRecord): Webhook {
  const { lastAttempt } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_enabled: webhook.isEnabled,
    switched_off_at: webhook.switchedOffAt?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
    last_attempt: lastAttempt && { at: lastAttempt.at.toISOString(), is_delivered: lastAttempt.isDelivered },
  }
}

function presentDelivery(delivery: DeliveryRecord): WebhookDelivery {
  return {
    id: delivery.id,
    event: delivery.event,
    state: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    attempts: delivery.attempts,
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    status: delivery.status,
    duration_ms: delivery.durationMs,
    error: delivery.error,
  }
}
