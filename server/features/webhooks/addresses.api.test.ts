import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer } from '#testing/server.ts'

test('plain http to a host of the Internet is refused when a webhook is created or changed, as it would be when it is sent', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { accessToken: token } = await server.createSignedIn()
  const { createWebhook, changeWebhook, listWebhooks } = api.integrations
  const create = (url: string) => server.call(createWebhook, { body: { url, events: ['alert.raised'] }, token })
  const sentence = 'Plain http would show everybody what is sent. Please use an address with https.'

  const refused = await create('http://example.org/hook')
  expect([refused.status, refused.error.fields]).toEqual([400, { url: [sentence] }])
  const { id } = (await create('https://example.org/hook')).data.webhook
  const changed = await server.call(changeWebhook, { params: { id }, body: { url: 'http://example.org/hook' }, token })
  expect([changed.status, changed.error.error]).toEqual([400, sentence])
  expect((await server.call(listWebhooks, { token })).data.webhooks).toMatchObject([
    { url: 'https://example.org/hook' },
  ])
})
