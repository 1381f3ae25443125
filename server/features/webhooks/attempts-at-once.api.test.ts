import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { AllowedHostList } from '#data/network-ranges.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts'
import { createWebhookCalls } from './testing/webhook-calls.ts'

const secondMs = 1000
let server: TestServer
let receiver: WebhookReceiver
/** In order of arrival. */
const responses: ServerResponse[] = []
beforeAll(async () => {
  server = await startTestServer({ config: { webhookAllowPrivate: AllowedHostList.parse('127.0.0.1') } })
  receiver = await startWebhookReceiver((response) => responses.push(response))
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const answer = (index: number, status: number) => responses[index]?.writeHead(status).end()
const untilReceived = (count: number) => vi.waitFor(() => expect(responses).toHaveLength(count))

test.each(['automatic', 'manual'] as const)(
  'of two attempts at once the %s one delivers: the failure of the other undoes nothing, and nothing is sent again',
  async (delivering) => {
    responses.length = 0
    const calls = createWebhookCalls(server)
    const user = await server.createSignedIn()
    const { accessToken: token } = user
    const body = { url: receiver.url, events: ['alert.raised' as const] }
    const { id } = (await server.call(api.integrations.createWebhook, { body, token })).data.webhook
    await calls.raiseAlert(user, delivering)
    const first = server.services.webhooks.sendDue()
    await untilReceived(1)
    answer(0, 500)
    await first
    server.clock.advance(10 * secondMs)

    const [{ id: deliveryId = '' } = {}] = await calls.listDeliveries(user, id)
    const manual = server.call(api.integrations.retryDelivery, { params: { id, delivery_id: deliveryId }, token })
    await untilReceived(2)
    const automatic = server.services.webhooks.sendDue()
    await untilReceived(3)
    const [deliveringIndex, failingIndex] = delivering === 'manual' ? [1, 2] : [2, 1]
    const [deliveringCall, failingCall] = delivering === 'manual' ? [manual, automatic] : [automatic, manual]
    answer(deliveringIndex, 204)
    await deliveringCall
    answer(failingIndex, 500)
    await failingCall

    expect(await calls.listDeliveries(user, id)).toMatchObject([{ state: 'delivered', next_attempt_at: null }])
    server.clock.advance(60 * secondMs)
    await server.services.webhooks.sendDue()
    expect(responses).toHaveLength(3)
  },
)
