import type { Page } from 'playwright-core'
import { failRequests, openByButton, waitForDialog, waitForError, type Scene } from './scene-tools.ts'
import { systemScenes } from './system-scenes.ts'

/** The user that the scenes act on; the first admin cannot be changed. */
export const testUser = { email: 'zarghuna@example.org', username: 'zarghuna', firstName: 'زرغونه' }

interface TestUser {
  email: string
  username: string
  firstName: string
  password: string
}

/** Creates a user in the super admin panel. */
export async function createUser(page: Page, url: string, user: TestUser): Promise<void> {
  await page.goto(`${url}/super-admin`)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill(user.firstName)
  await dialog.getByLabel('Email').fill(user.email)
  await dialog.getByLabel('Username').fill(user.username)
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(user.password)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await page.getByText('User created').waitFor()
}

async function openUserPage(page: Page) {
  await page.getByRole('link', { name: new RegExp(testUser.firstName) }).click()
  await page.getByRole('region', { name: 'Danger zone' }).waitFor()
  await page.getByRole('list', { name: 'Activity' }).waitFor()
}

async function selectTestUser(page: Page) {
  await page.getByRole('checkbox', { name: new RegExp(`^Select ${testUser.firstName}`) }).check()
  await page.getByRole('region', { name: 'Selection' }).waitFor()
}

/** The lists filtered to this user: other files add users too, and the newest come first. */
const [adminPath, superAdminPath] = [`/admin?q=${testUser.username}`, `/super-admin?q=${testUser.username}`]

const watchedFolder = {
  name: 'Harbour',
  recipient: { kind: 'case', id: 'c'.repeat(24), name: 'Port', owner: 'nadia@example.org' },
  bound_at: '2026-01-02T03:04:05.000Z',
  is_present: true,
  waiting: 7,
  problems: [
    { path: `${'long-'.repeat(40)}.wav`, reason: 'Awaz has no permission to read this folder.' },
    { path: 'monday', reason: 'watch.json is not valid JSON. Correct it; the recordings are imported then.' },
  ],
  problem_count: 9,
  last_taken_at: null,
}
const watchStatus = {
  folder: `/srv/${'calls-of-the-office/'.repeat(8)}`,
  checked_at: '2026-01-02T03:04:05.000Z',
  waiting: 1,
  problems: [{ path: '', reason: 'Put recordings into a folder that is named by a user’s e-mail address or a case.' }],
  folders: [
    watchedFolder,
    { ...watchedFolder, name: `${'n'.repeat(60)}@example.org`, recipient: null, bound_at: null },
  ],
}

const failedMail = {
  id: '0123456789abcdef01234567',
  to: testUser.email,
  subject: 'Your password reset code',
  attempts: 2,
  purpose: 'notice',
  last_error: '550 5.7.1 Relaying denied',
  next_try_at: '2030-01-02T03:04:05.000Z',
  created_at: '2026-01-02T03:04:05.000Z',
  expires_at: '2030-01-02T03:14:05.000Z',
}

/** Menus, dialogs and errors of the administration pages. */
export const adminScenes: Scene[] = [
  { name: 'page of a user', path: superAdminPath, open: openUserPage },
  {
    name: 'end session of a user',
    path: '/admin/sessions',
    prepare: (page) =>
      page.route('**/api/auth/admin/sessions?*', async (route) => {
        const response = await route.fetch()
        const body: { sessions: { current: boolean }[] } = await response.json()
        await route.fulfill({
          response,
          json: { ...body, sessions: body.sessions.map((session) => ({ ...session, current: false })) },
        })
      }),
    open: openByButton(/^End the session of/),
  },
  {
    name: 'selected users',
    path: superAdminPath,
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Change role' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'deactivate selected users',
    path: superAdminPath,
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Deactivate' }).click()
      await waitForDialog(page)
    },
  },
  {
    name: 'users for whom an action failed',
    path: adminPath,
    prepareAction: (page) =>
      page.route('**/api/auth/admin/users/bulk', (route) =>
        route.fulfill({
          json: { done: 0, failed: [{ id: 'f'.repeat(24), email: testUser.email, error: 'User not found' }] },
        }),
      ),
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Activate', exact: true }).click()
      await page.getByRole('alert').getByText('They stay selected.').waitFor()
    },
  },
  {
    name: 'nobody found',
    path: '/admin?q=nobody-at-all&inactive=90',
    open: (page) => page.getByRole('heading', { name: 'No users found' }).waitFor(),
  },
  ...systemScenes,
  {
    name: 'overview that needs attention',
    path: '/admin/overview',
    prepare: (page) =>
      page.route('**/api/auth/admin/overview', async (route) => {
        const response = await route.fetch()
        const body: object = await response.json()
        await route.fulfill({
          response,
          json: { ...body, failing_mails: 2, failed_sign_ins: 12, users_without_2fa: 30 },
        })
      }),
    open: (page) => page.getByText('2 mails could not be delivered').waitFor(),
  },
  {
    name: 'mails that failed',
    path: '/super-admin/outbox',
    prepare: (page) =>
      page.route('**/api/auth/super-admin/outbox', (route) =>
        route.fulfill({ json: { is_smtp_configured: true, mails: [failedMail] } }),
      ),
    open: openByButton('Send test mail'),
  },
  {
    name: 'watch folder with problems',
    path: '/admin/watch-folder',
    prepare: (page) => page.route('**/api/auth/admin/watch-folder', (route) => route.fulfill({ json: watchStatus })),
    open: openByButton('Change owner or case: Harbour'),
  },
  {
    name: 'change role',
    path: adminPath,
    open: async (page) => {
      await page.getByRole('combobox', { name: new RegExp(`^Role of ${testUser.firstName}`) }).click()
      await page.getByRole('option', { name: 'Admin', exact: true }).click()
      await waitForDialog(page)
    },
  },
  { name: 'users by state', path: '/admin?state=with_2fa' },
  { name: 'users not loaded', path: '/admin', prepare: failRequests('**/api/auth/admin/users?*'), open: waitForError },
]
