import type { Page } from 'playwright-core'
import { waitForDialog, type Scene } from './scene-tools.ts'

/** Opens the form for a new provider, prefilled with the usual values of a preset. */
function openProviderForm(preset: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name: 'Add provider' }).click()
    await waitForDialog(page)
    await page.getByRole('button', { name: new RegExp(`^${preset}`) }).click()
    await page.getByRole('button', { name: 'Add group' }).click()
    await page.getByRole('textbox', { name: 'Group 1' }).waitFor()
  }
}

/** Dialogs and states of invitations, registration and single sign-on. */
export const peopleScenes: Scene[] = [
  { name: 'new OpenID provider', path: '/admin/sign-in', open: openProviderForm('Keycloak') },
  { name: 'new directory', path: '/admin/sign-in', open: openProviderForm('Active Directory') },
  {
    name: 'invitation',
    path: '/invitation?token=example',
    isPublic: true,
    prepare: (page) =>
      page.route('**/api/auth/invitations/check', (route) =>
        route.fulfill({
          json: {
            email: 'zarghuna@example.org',
            first_name: 'زرغونه',
            last_name: '',
            role: 'admin',
            invited_by: 'Nadia Ahmadi',
            expires_at: '2030-01-02T03:04:05.000Z',
          },
        }),
      ),
    open: (page) => page.getByRole('heading', { name: 'You are invited' }).waitFor(),
  },
]
