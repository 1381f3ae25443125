import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '#contract/entities/api-key.ts'
import type { Webhook, WebhookDelivery } from '#contract/entities/webhook.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { IntegrationsPage } from './integrations-page.tsx'

const id = (digit: string) => digit.repeat(24)
const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
const moment = '2026-01-02T03:04:05.000Z'
const key: ApiKey = {
  id: id('1'),
  name: 'Night import',
  prefix: 'awz_0123456789ab',
  scope: 'write',
  created_at: moment,
  expires_at: soon,
  last_used_at: null,
  last_used_from: null,
}
const webhook: Webhook = {
  id: id('2'),
  url: 'https://hooks.example.org/awaz',
  events: ['job.finished'],
  is_enabled: false,
  switched_off_at: moment,
  created_at: moment,
  last_attempt: null,
}
const delivery: WebhookDelivery = {
  id: id('3'),
  event: 'job.finished',
  state: 'failed',
  created_at: moment,
  attempts: 8,
  last_attempt_at: moment,
  next_attempt_at: null,
  status: 500,
  duration_ms: 12,
  error: 'The receiver answered 500.',
}

function renderPage(handlers: Parameters<typeof fakeServer>[0] = {}, user = someUser) {
  const calls = fakeServer({
    'GET /api/api-keys': () => ({ body: { keys: [key] } }),
    'GET /api/webhooks': () => ({ body: { webhooks: [webhook] } }),
    'POST /api/auth/confirm-password': () => ({ body: { message: '', access_token: 'a2', refresh_token: 'r2' } }),
    ...handlers,
  })
  saveTokens({ access_token: 'a', refresh_token: 'r' })
  return { ...renderAt('/settings/integrations', <IntegrationsPage />, user), calls }
}

const dialog = () => within(screen.getByRole('dialog'))

async function confirmPassword(user: ReturnType<typeof renderPage>['user']) {
  await user.type(await screen.findByLabelText('Your password'), 'Harvest-moon7')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
}

describe('API keys', () => {
  it('are listed with what they may do and when they end', async () => {
    renderPage()
    expect(await screen.findByText('Night import')).toBeVisible()
    expect(screen.getByText('Read and write')).toBeVisible()
    expect(screen.getByText('Expires soon')).toBeVisible()
    expect(screen.getByText(/never used/)).toBeVisible()
  })

  it.each([
    ['192.0.2.7', /last used 2 Jan 2026 from 192\.0\.2\.7 · expires/],
    [null, /last used 2 Jan 2026 · expires/],
  ])('say when they were used, and from where if that is known (%s)', async (address, text) => {
    renderPage({
      'GET /api/api-keys': () => ({ body: { keys: [{ ...key, last_used_at: moment, last_used_from: address }] } }),
    })
    expect((await screen.findByText('Night import')).closest('li')).toHaveTextContent(text)
  })

  it('are created after the password was entered, and shown once', async () => {
    const { user, calls } = renderPage({
      'POST /api/api-keys': () => ({ status: 201, body: { key, token: 'awz_0123456789ab_secret' } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Create API key' }))
    await confirmPassword(user)
    expect(await screen.findByLabelText('Name')).toHaveFocus()
    await user.click(dialog().getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Please name the key')).toBeVisible()
    await user.type(screen.getByLabelText('Name'), 'Script')
    await user.click(dialog().getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('awz_0123456789ab_secret')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Copy API key' })).toHaveFocus()
    const sent = calls.find((call) => call.key === 'POST /api/api-keys')
    expect(sent?.body).toMatchObject({ name: 'Script', scope: 'read' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText('awz_0123456789ab_secret')).toBeNull())
  })

  it('ask for a code where two-factor is on, and for a day where one is chosen', async () => {
    const { user, calls } = renderPage(
      { 'POST /api/api-keys': () => failure(400, 'Invalid verification code. Please try again.') },
      { ...someUser, two_factor_enabled: true },
    )
    await user.click(await screen.findByRole('button', { name: 'Create API key' }))
    await confirmPassword(user)
    await user.type(await screen.findByLabelText('Name'), 'Script')
    await user.click(dialog().getByRole('combobox', { name: 'Valid for' }))
    await user.click(await screen.findByRole('option', { name: 'Until a date' }))
    await user.click(dialog().getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Please choose a day within two years')).toBeVisible()
    expect(screen.getByText('Please enter your authenticator code')).toBeVisible()
    await user.type(screen.getByLabelText('Last day'), soon.slice(0, 10))
    await user.type(screen.getByLabelText('Authenticator code'), '123456')
    await user.click(dialog().getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Invalid verification code. Please try again.')).toBeVisible()
    const sent = calls.find((call) => call.key === 'POST /api/api-keys')
    expect(sent?.headers.get('X-TOTP-Token')).toBe('123456')
  })

  it('are revoked after a question', async () => {
    const { user, calls } = renderPage({
      [`DELETE /api/api-keys/${key.id}`]: () => ({ body: { message: 'API key revoked' } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Revoke Night import' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('API key revoked')).toBeVisible()
    expect(calls.map((call) => call.key)).toContain(`DELETE /api/api-keys/${key.id}`)
  })
})

describe('webhooks', () => {
  it('show a secret once when they are added, and the reason where their address is refused', async () => {
    const sentence = 'This address is in a private network.'
    let isRefused = true
    const { user } = renderPage({
      'POST /api/webhooks': () =>
        isRefused
          ? failure(400, sentence, { code: 'invalid_input', details: [sentence], fields: { url: [sentence] } })
          : { status: 201, body: { webhook, secret: 'whsec_abc' } },
    })
    await user.click(await screen.findByRole('button', { name: 'Add webhook' }))
    await user.type(await screen.findByLabelText('Address'), 'https://10.0.0.1/hook')
    await user.click(dialog().getByRole('button', { name: 'Add' }))
    expect((await screen.findAllByText(sentence))[0]).toBeVisible()
    isRefused = false
    await user.click(dialog().getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('whsec_abc')).toBeVisible()
  })

  it('keep what was typed when the page beside the dialog is clicked', async () => {
    const { user } = renderPage()
    await user.click(await screen.findByRole('button', { name: 'Add webhook' }))
    await user.type(await screen.findByLabelText('Address'), 'https://hooks')
    // The overlay has no role: screen readers ignore it.
    const overlay = document.querySelector('.mantine-Modal-overlay')
    if (!overlay) throw new Error('Nothing dims the page')
    await user.click(overlay)
    expect(screen.getByLabelText('Address')).toHaveValue('https://hooks')
  })

  it('say why they were switched off, and are switched on again', async () => {
    const { user, calls } = renderPage({
      [`PATCH /api/webhooks/${webhook.id}`]: () => ({ body: { ...webhook, is_enabled: true, switched_off_at: null } }),
    })
    expect(await screen.findByText(/^Switched off on/)).toBeVisible()
    await user.click(screen.getByRole('switch', { name: `Webhook to ${webhook.url}` }))
    await waitFor(() => expect(calls.find((call) => call.key.startsWith('PATCH'))?.body).toEqual({ is_enabled: true }))
  })

  it('send a test and show what became of it', async () => {
    const { user } = renderPage({
      [`POST /api/webhooks/${webhook.id}/test`]: () => ({ body: { ...delivery, event: 'ping' } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Send test' }))
    expect(await screen.findByText('The receiver answered 500.')).toBeVisible()
  })

  it('have a log whose deliveries are sent again', async () => {
    const again = { ...delivery, state: 'delivered', error: null, status: 204 }
    const { user } = renderPage({
      [`GET /api/webhooks/${webhook.id}/deliveries`]: () => ({ body: { deliveries: [delivery] } }),
      [`POST /api/webhooks/${webhook.id}/deliveries/${delivery.id}/retry`]: () => ({ body: again }),
    })
    await user.click(await screen.findByRole('button', { name: 'Log' }))
    expect(await screen.findByText('The receiver answered 500 · 12 ms · 8 attempts')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^Send again: Job finished/ }))
    expect(await screen.findByText('Delivered')).toBeVisible()
  })
})

it('without keys and webhooks both panels say so, and an error can be tried again', async () => {
  renderPage({
    'GET /api/api-keys': () => ({ body: { keys: [] } }),
    'GET /api/webhooks': () => failure(503),
  })
  expect(await screen.findByText('You have no API keys.')).toBeVisible()
  expect(await screen.findByText('Your webhooks could not be loaded.')).toBeVisible()
})
