import { createHmac, timingSafeEqual } from 'node:crypto'
import { api } from '#contract/api.ts'
import type { WebhookEvent } from '#contract/entities/webhook.ts'
import { toObjectId } from '#data/ids.ts'
import { oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import { signIn } from '#testing/accounts.ts'
import type { SignedInUser, TestServer } from '#testing/server.ts'
import type { ReceivedRequest } from '#testing/webhook-receiver.ts'

/** Creates helpers for what users do with their webhooks and for the events that trigger them. */
export function createWebhookCalls(server: TestServer) {
  const { integrations } = api
  return {
    async raiseAlert({ id }: SignedInUser, key: string): Promise<void> {
      const event = { key, type: 'alert.raised', data: { alert_id: key } } as const
      await oweWebhooks(server.services.database.connection, id, event)
    },
    async countDeliveries(webhookId: string): Promise<number> {
      const deliveries = server.services.database.connection.collection('webhook_deliveries')
      return deliveries.countDocuments({ webhookId: toObjectId(webhookId) })
    },
    async readFirst({ accessToken: token }: SignedInUser) {
      return (await server.call(integrations.listWebhooks, { token })).data.webhooks[0]
    },
    async listDeliveries({ accessToken: token }: SignedInUser, id: string) {
      return (await server.call(integrations.listDeliveries, { params: { id }, token })).data.deliveries
    },
    change(
      { accessToken: token }: SignedInUser,
      id: string,
      body: { is_enabled?: boolean; events?: WebhookEvent[]; url?: string },
    ) {
      return server.call(integrations.changeWebhook, { params: { id }, body, token })
    },
    /** Needed after the clock was advanced, because the session has expired. */
    async signInAgain(user: SignedInUser): Promise<SignedInUser> {
      return { ...user, accessToken: (await signIn(server, user)).access_token }
    },
  }
}

/** Creates a receiver's message check as documented. The check returns the content of a message, or why it is refused. */
export function createVerifier(secret: string, now: () => number) {
  const seen = new Set<string>()
  return function verify({ headers, body }: ReceivedRequest, nowMs = now()): string | { type: string } {
    const id = String(headers['webhook-id'])
    const timestamp = String(headers['webhook-timestamp'])
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    const signatures = String(headers['webhook-signature']).split(' ')
    const isSigned = signatures.some((entry) => {
      const given = Buffer.from(entry.replace(/^v1,/, ''), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
    if (!isSigned) return 'wrong signature'
    if (Math.abs(nowMs / 1000 - Number(timestamp)) > 300) return 'too old'
    if (seen.has(id)) return 'seen before'
    seen.add(id)
    return JSON.parse(body) as { type: string }
  }
}
