import type { Page } from 'playwright-core'
import type { TranscriptionResult } from '#contract/transcription.ts'

/** A state of a page that needs an action, an error or a state of the account. */
export interface Scene {
  name: string
  path: string
  isPublic?: boolean
  /** Runs before the page is opened: sets up responses of the network. */
  prepare?: (page: Page) => Promise<unknown>
  /** Runs when the page is loaded, until the scene is visible. */
  open?: (page: Page) => Promise<void>
}

/** The user whom the scenes act on; the first admin cannot be changed. */
export const testUser = { email: 'zarghuna@example.org', username: 'zarghuna', firstName: 'زرغونه' }

/** Creates `testUser` in the super admin panel. */
export async function createTestUser(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/super-admin`)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill(testUser.firstName)
  await dialog.getByLabel('Email').fill(testUser.email)
  await dialog.getByLabel('Username').fill(testUser.username)
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await page.getByText('User created').waitFor()
}

const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor()

function openByButton(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor()
  }
}

/** Opens the menu of a row and, where one is named, selects an item that opens a dialog. */
function openRowMenu(row: RegExp, item?: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name: row }).first().click()
    await page.getByRole('menu').waitFor()
    if (!item) return
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await waitForDialog(page)
  }
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

/** Opens the tab of the speakers: beside the conversation, or as a sheet on a narrow screen. */
async function openSpeakers(page: Page) {
  await page.getByRole('tab', { name: 'Speakers' }).click()
  await page.getByRole('region', { name: 'Speakers' }).waitFor()
}

function failRequests(pattern: string) {
  return (page: Page) =>
    page.route(pattern, (route) =>
      route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'internal', request_id: 'x' } }),
    )
}

/** Makes every other line of a transcript uncertain and adds a passage that was not understood. */
function addUncertainty(transcription: TranscriptionResult): TranscriptionResult {
  const segments = transcription.segments.map((segment, index) => {
    const words = segment.text.split(' ').map((text) => ({ ...segment, text, confidence: index % 2 === 0 ? 0.2 : 0.9 }))
    return { ...segment, confidence: 0.8, words }
  })
  const { duration } = transcription
  const gap = { code: 'repetition', message: 'Not understood.', start: duration + 1, end: duration + 3, channel: 1 }
  const change = { code: 'language_changes', message: 'Speaker A changes the language.', start: 1, end: 2, channel: 0 }
  return { ...transcription, segments, warnings: [change, gap] }
}

const waitForError = (page: Page) => page.getByRole('heading', { name: 'Error' }).waitFor()
const recordingActions = /^Actions for sample-call/
const userActions = new RegExp(`^Actions for ${testUser.firstName}`)

const failedMail = {
  id: '0123456789abcdef01234567',
  to: testUser.email,
  subject: 'Your password reset code',
  attempts: 2,
  last_error: '550 5.7.1 Relaying denied',
  next_try_at: '2030-01-02T03:04:05.000Z',
  created_at: '2026-01-02T03:04:05.000Z',
  expires_at: '2030-01-02T03:14:05.000Z',
}

/** In place of a QR code: one grey pixel. */
const qrCode = 'data:image/gif;base64,R0lGODlhAQABAIAAAHd3dwAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

/** Menus, dialogs, errors and account states beside the plain pages. */
export const scenes: Scene[] = [
  { name: 'account menu', path: '/dashboard', open: openByButton(/^Account menu/) },
  { name: 'recording menu', path: '/dashboard', open: openRowMenu(recordingActions) },
  {
    name: 'rename recording',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: recordingActions }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('textbox', { name: /^New name of/ }).waitFor()
    },
  },
  {
    name: 'selected recordings',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('checkbox', { name: /^Select sample-call/ }).click()
      await page.getByRole('region', { name: 'Selection' }).waitFor()
    },
  },
  {
    name: 'tags of recordings',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: recordingActions }).click()
      await page.getByRole('menuitem', { name: 'Tags…' }).click()
      await waitForDialog(page)
    },
  },
  {
    name: 'no recording found',
    path: '/dashboard?search=nothing&states=failed',
    open: (page) => page.getByRole('heading', { name: 'No recording matches' }).waitFor(),
  },
  { name: 'enable 2FA', path: '/settings/security', open: openByButton('Enable 2FA') },
  { name: 'end all sessions', path: '/settings/security', open: openByButton('End all sessions') },
  { name: 'admin row menu', path: '/admin', open: openRowMenu(userActions) },
  { name: 'page of a user', path: '/super-admin', open: openUserPage },
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
    path: '/super-admin',
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Change role' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'deactivate selected users',
    path: '/super-admin',
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Deactivate' }).click()
      await waitForDialog(page)
    },
  },
  {
    name: 'users for whom an action failed',
    path: '/admin',
    prepare: (page) =>
      page.route('**/api/auth/admin/users/bulk', (route) =>
        route.fulfill({ json: { done: 0, failed: [{ id: 'f'.repeat(24), email: testUser.email, error: 'Not now' }] } }),
      ),
    open: async (page) => {
      await selectTestUser(page)
      await page.getByRole('button', { name: 'Activate' }).click()
      await page.getByRole('alert').getByText('They stay selected.').waitFor()
    },
  },
  {
    name: 'nobody found',
    path: '/admin?q=nobody-at-all&inactive=90',
    open: (page) => page.getByRole('heading', { name: 'No users found' }).waitFor(),
  },
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
  { name: 'edit user', path: '/admin', open: openRowMenu(userActions, 'Edit') },
  {
    name: 'change role',
    path: '/admin',
    open: async (page) => {
      await page.getByRole('combobox', { name: new RegExp(`^Role of ${testUser.firstName}`) }).click()
      await page.getByRole('option', { name: 'Admin', exact: true }).click()
      await waitForDialog(page)
    },
  },
  { name: 'users by state', path: '/admin?state=with_2fa' },
  { name: 'revoke sessions', path: '/admin', open: openRowMenu(userActions, 'Revoke Sessions') },
  { name: 'delete user', path: '/admin', open: openRowMenu(userActions, 'Delete') },
  { name: 'create user', path: '/super-admin', open: openByButton('Create User') },
  { name: 'super admin row menu', path: '/super-admin', open: openRowMenu(userActions) },
  { name: 'reset password', path: '/super-admin', open: openRowMenu(userActions, 'Reset Password') },
  {
    name: 'uncertain lines',
    path: '/transcribe',
    prepare: (page) =>
      page.route(/\/api\/recordings\/[0-9a-f]{24}(\?|$)/, async (route) => {
        const response = await route.fetch()
        const body: { transcription: TranscriptionResult } = await response.json()
        await route.fulfill({ response, json: { ...body, transcription: addUncertainty(body.transcription) } })
      }),
    open: async (page) => {
      await page.getByRole('button', { name: /^(Only )?uncertain/ }).click()
      await page.getByRole('list', { name: 'Transcript Timeline' }).getByText('Not understood').first().waitFor()
    },
  },
  {
    name: 'speaker menu',
    path: '/transcribe',
    open: async (page) => {
      await openSpeakers(page)
      await page.getByRole('button', { name: 'Actions for Left Channel' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'menu of a line',
    path: '/transcribe',
    open: async (page) => {
      await page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem').first().hover()
      await openByButton(/^Actions for the line at/)(page)
    },
  },
  { name: 'retranscribe', path: '/transcribe', open: openByButton('Retranscribe') },
  { name: 'details of a recording', path: '/transcribe', open: openByButton('Details') },
  {
    name: 'keyboard shortcuts',
    path: '/transcribe',
    open: async (page) => {
      await page.keyboard.press('?')
      await waitForDialog(page)
    },
  },
  {
    name: 'command palette',
    path: '/transcribe',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByText('Play or pause').waitFor()
    },
  },
  {
    name: 'speakers not saved',
    path: '/transcribe',
    prepare: failRequests('**/api/recordings/*/speakers*'),
    open: async (page) => {
      await openSpeakers(page)
      await page.getByRole('button', { name: 'Rename Right Channel' }).click()
      await page.getByRole('textbox', { name: 'Name of Right Channel' }).fill('زرغونه')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    },
  },
  {
    name: 'recordings not loaded',
    path: '/dashboard',
    prepare: failRequests('**/api/library?*'),
    open: waitForError,
  },
  { name: 'users not loaded', path: '/admin', prepare: failRequests('**/api/auth/admin/users?*'), open: waitForError },
  {
    name: 'wrong password',
    path: '/login',
    isPublic: true,
    prepare: (page) =>
      page.route('**/api/auth/signin', (route) =>
        route.fulfill({ status: 401, json: { error: 'Invalid email or password', code: 'sign_in_failed' } }),
      ),
    open: async (page) => {
      await page.getByLabel('Email', { exact: true }).fill(testUser.email)
      await page.getByLabel('Password', { exact: true }).fill('Wrong.1234')
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.getByText('Failed attempts: 1').waitFor()
    },
  },
  {
    name: 'two-factor set-up after registration',
    path: '/registration-2fa?user_id=0123456789abcdef01234567',
    isPublic: true,
    prepare: (page) =>
      page.route('**/api/auth/registration/setup-2fa', (route) =>
        route.fulfill({
          json: { qr_code: qrCode, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', backup_codes: ['abcd1234'] },
        }),
      ),
    open: (page) => page.getByAltText('QR code of your secret key').waitFor(),
  },
  {
    name: 'forced change of the password',
    path: '/dashboard',
    prepare: (page) =>
      page.route('**/api/auth/profile', async (route) => {
        const response = await route.fetch()
        const body: { user: object } = await response.json()
        await route.fulfill({ response, json: { ...body, user: { ...body.user, must_change_password: true } } })
      }),
    open: (page) => page.getByRole('heading', { name: 'Choose a new password' }).waitFor(),
  },
]
