import type { Page } from 'playwright-core'
import type { Response } from '#contract/endpoint.ts'
import type { passkeys } from '#contract/endpoints/passkeys.ts'
import { clickButton, type DialogGroup } from './scene-tools.ts'

const passkeyList: Response<typeof passkeys.list> = {
  passkeys: [
    {
      id: 'd'.repeat(24),
      name: 'Harbour',
      is_synced: true,
      created_at: '2026-01-02T03:04:05.000Z',
      last_used_at: null,
    },
  ],
}

/** Makes the account appear to have a second factor and a passkey. */
async function giveSecondFactor(page: Page) {
  await page.route('**/api/auth/passkeys', (route) => route.fulfill({ json: passkeyList }))
  await page.route('**/api/auth/profile', async (route) => {
    const response = await route.fetch()
    const body: { user: object } = await response.json()
    await route.fulfill({ response, json: { ...body, user: { ...body.user, two_factor_enabled: true } } })
  })
}

/** The dialogs of the account settings. */
export const accountDialogs: DialogGroup[] = [
  {
    path: '/settings/integrations',
    dialogs: {
      'new API key': clickButton(/^(?:Create|Add|New)\b.*key$/),
      'revoke an API key': clickButton('Revoke Harbour'),
      'new webhook': clickButton(/^(?:Create|Add|New)\b.*webhook$/),
      'change a webhook': clickButton('Change'),
      'delete a webhook': clickButton('Delete'),
    },
  },
  {
    path: '/settings/general',
    dialogs: {
      'replace keywords': (page) =>
        page.locator('input[type=file][accept*=json]').setInputFiles({
          name: 'keywords.json',
          mimeType: 'application/json',
          buffer: Buffer.from(JSON.stringify({ threats: ['bridge'], sentiment: [], intent: [], custom: [] })),
        }),
    },
  },
  {
    path: '/settings/security',
    prepare: giveSecondFactor,
    dialogs: {
      'end all sessions': clickButton('End all sessions'),
      'end a session': clickButton('End'),
      'add a passkey': clickButton('Add a passkey'),
      'rename a passkey': clickButton('Rename Harbour'),
      'remove a passkey': clickButton('Remove Harbour'),
      'new backup codes': clickButton('New backup codes'),
      'disable 2FA': clickButton('Disable 2FA'),
    },
  },
]
