import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ApiKey, apiKeyScopes, maxApiKeyDays, maxApiKeys } from '../entities/api-key.ts'
import { maxWebhooks, Webhook, WebhookDelivery, WebhookEvent } from '../entities/webhook.ts'
import { Id, IdParams, Message, Moment } from '../scalars.ts'

const KeyName = z.string().trim().min(1, 'Please name the key').max(80, 'The name must be at most 80 characters')
const WebhookUrl = z
  .string()
  .trim()
  .min(1, 'Please enter the address of the webhook')
  .max(1000, 'The address must be at most 1000 characters')
const Events = z
  .array(WebhookEvent)
  .min(1, 'Please choose at least one event')
  .transform((events) => WebhookEvent.options.filter((event) => events.includes(event)))
const DeliveryParams = z.object({ id: Id, delivery_id: Id })

/** How programs use the product on behalf of a user: API keys to call it, and webhooks it calls. API keys cannot use these endpoints. */
export const integrations = {
  listKeys: endpoint({
    method: 'GET',
    path: '/api/api-keys',
    access: 'user',
    summary: 'The API keys of the user, newest first; never their secrets',
    response: z.object({ keys: z.array(ApiKey) }),
    errors: [],
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/api-keys',
    access: 'user',
    summary: `Create an API key that expires within ${maxApiKeyDays} days; its token is returned this once. Requires the password confirmed within five minutes and, with two-factor enabled, a code in the header X-TOTP-Token`,
    body: z.object({ name: KeyName, scope: z.enum(apiKeyScopes), expires_at: Moment }),
    response: z.object({ key: ApiKey, token: z.string() }),
    status: 201,
    limit: { max: maxApiKeys, error: 'conflict' },
    errors: ['conflict', 'password_confirmation_required', 'wrong_code', 'account_locked'],
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/api/api-keys/:id',
    access: 'user',
    summary: 'Revoke an API key; it stops working at once',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  listWebhooks: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    access: 'user',
    summary: 'The webhooks of the user, oldest first; never their secrets',
    response: z.object({ webhooks: z.array(Webhook) }),
    errors: [],
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks',
    access: 'user',
    summary: 'Create a webhook; its signing secret is returned this once',
    body: z.object({ url: WebhookUrl, events: Events }),
    response: z.object({ webhook: Webhook, secret: z.string() }),
    status: 201,
    limit: { max: maxWebhooks, error: 'conflict' },
    errors: ['conflict'],
  }),
  changeWebhook: endpoint({
    method: 'PATCH',
    path: '/api/webhooks/:id',
    access: 'user',
    summary: 'Change the address or the events of a webhook, or switch it on or off; the secret stays',
    params: IdParams,
    body: z.object({ url: WebhookUrl.optional(), events: Events.optional(), is_enabled: z.boolean().optional() }),
    response: Webhook,
    errors: ['not_found'],
  }),
  removeWebhook: endpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    access: 'user',
    summary: 'Delete a webhook with its log and what it has not delivered yet',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    access: 'user',
    summary: 'Send a ping now, once, also while the webhook is off, and return what became of it',
    params: IdParams,
    response: WebhookDelivery,
    errors: ['not_found'],
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    access: 'user',
    summary: 'The last 50 deliveries of a webhook, newest first',
    params: IdParams,
    response: z.object({ deliveries: z.array(WebhookDelivery) }),
    errors: ['not_found'],
  }),
  retryDelivery: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:delivery_id/retry',
    access: 'user',
    summary: 'Send a delivery again now, whatever became of it, and return the outcome',
    params: DeliveryParams,
    response: WebhookDelivery,
    errors: ['not_found'],
  }),
}
