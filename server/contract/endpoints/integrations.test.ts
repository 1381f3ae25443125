import { describe, expect, test } from 'vitest'
import { complaints, id, textOf } from '../testing/inputs.ts'
import { integrations } from './integrations.ts'

const moment = '2026-01-02T03:04:05.000Z'

describe('an API key', () => {
  const { body, response } = integrations.createKey
  const given = { name: 'Archive', scope: 'read', expires_at: moment }

  test.each([
    [{}, []],
    [{ scope: 'write', name: textOf(80) }, []],
    [{ name: ' ' }, ['Please name the key']],
    [{ name: textOf(81) }, ['The name must be at most 80 characters']],
    [{ scope: 'admin' }, ['Scope is not valid']],
    [{ expires_at: 'never' }, ['Expires at is not valid']],
  ])('with %o', (change, sentences) => {
    expect(complaints(body, { ...given, ...change })).toEqual(sentences)
  })

  test('is returned with its token this once', () => {
    const key = { id, prefix: 'awaz_1', created_at: moment, last_used_at: null, last_used_from: null, ...given }
    expect(response.parse({ key, token: 'secret' })).toEqual({ key, token: 'secret' })
    expect(integrations.listKeys.response.parse({ keys: [{ ...key, token: 'secret' }] })).toEqual({ keys: [key] })
  })
})

describe('a webhook', () => {
  const { body, response } = integrations.createWebhook
  const url = 'https://example.org/hook'

  test('is called for each of the chosen events once, in their order', () => {
    expect(body.parse({ url: ` ${url} `, events: ['alert.raised', 'job.finished', 'alert.raised'] })).toEqual({
      url,
      events: ['job.finished', 'alert.raised'],
    })
    expect(body.parse({ url, events: ['job.failed'] }).events).toEqual(['job.failed'])
  })

  test.each([
    [{ url: ' ' }, 'Please enter the address of the webhook'],
    [{ url: textOf(1001) }, 'The address must be at most 1000 characters'],
    [{ events: [] }, 'Please choose at least one event'],
    [{ events: ['ping'] }, 'Events is not valid'],
  ])('with %o is refused', (change, sentence) => {
    expect(complaints(body, { url, events: ['job.failed'], ...change })).toEqual([sentence])
    expect(complaints(integrations.changeWebhook.body, change)).toEqual([sentence])
  })

  test('may have a long address, and changes in what is sent', () => {
    expect(complaints(body, { url: textOf(1000), events: ['job.failed'] })).toEqual([])
    expect(integrations.changeWebhook.body.parse({})).toEqual({})
    expect(integrations.changeWebhook.body.parse({ is_enabled: false })).toEqual({ is_enabled: false })
  })

  test('is returned with its secret this once', () => {
    const webhook = {
      id,
      url,
      events: ['job.failed'],
      is_enabled: true,
      switched_off_at: null,
      created_at: moment,
      last_attempt: { at: moment, is_delivered: false },
    }
    expect(response.parse({ webhook, secret: 's' })).toEqual({ webhook, secret: 's' })
    const list = { webhooks: [{ ...webhook, secret: 's' }] }
    expect(integrations.listWebhooks.response.parse(list)).toEqual({ webhooks: [webhook] })
  })

  test.each(['waiting', 'delivered', 'failed'])('has a log: %s', (state) => {
    const delivery = {
      id,
      event: 'ping',
      state,
      created_at: moment,
      attempts: 1,
      last_attempt_at: moment,
      next_attempt_at: null,
      status: 500,
      duration_ms: 12,
      error: 'HTTP 500',
    }
    expect(integrations.listDeliveries.response.parse({ deliveries: [delivery] })).toEqual({ deliveries: [delivery] })
    expect(integrations.testWebhook.response.parse(delivery)).toEqual(delivery)
  })
})
