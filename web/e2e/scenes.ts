import type { Page } from 'playwright-core'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { adminScenes, testUser } from './admin-scenes.ts'
import { peopleScenes } from './people-scenes.ts'
import { failRequests, openByButton, recordingActionsLabel, waitForError, type Scene } from './scene-tools.ts'

/** Opens the Speakers tab: beside the conversation, or as a sheet on a narrow screen. */
async function openSpeakers(page: Page) {
  await page.getByRole('tab', { name: 'Speakers' }).click()
  await page.getByRole('region', { name: 'Speakers' }).waitFor()
}

/** Makes every other line of a transcript uncertain and adds a passage that was not understood. */
function addUncertainty(transcription: TranscriptionResult): TranscriptionResult {
  const segments = transcription.segments.map((segment, index) => {
    const words = segment.text.split(' ').map((text) => ({ ...segment, text, confidence: index % 2 === 0 ? 0.2 : 0.9 }))
    return { ...segment, confidence: 0.8, words }
  })
  const { duration } = transcription
  const gap = {
    code: 'repetition',
    message: 'The passage from 0:01 to 0:03 was not understood: the model only repeated itself.',
    start: duration + 1,
    end: duration + 3,
    channel: 1,
  }
  const change = { code: 'language_changes', message: 'Speaker A changes the language.', start: 1, end: 2, channel: 0 }
  return { ...transcription, segments, warnings: [change, gap] }
}

/** One gray pixel in place of a QR code. */
const qrCode = 'data:image/gif;base64,R0lGODlhAQABAIAAAHd3dwAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

/** Menus, dialogs, errors and account states, in addition to the plain pages. */
export const scenes: Scene[] = [
  ...adminScenes,
  ...peopleScenes,
  {
    name: 'rename recording',
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: recordingActionsLabel }).click()
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
    name: 'no recording found',
    path: '/dashboard?search=nothing&states=failed',
    open: (page) => page.getByRole('heading', { name: 'No recording matches' }).waitFor(),
  },
  { name: 'enable 2FA', path: '/settings/security', open: openByButton('Enable 2FA') },
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
      await page
        .getByRole('list', { name: 'Transcript Timeline' })
        .getByText('Not understood', { exact: true })
        .first()
        .waitFor()
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
  {
    name: 'wrong password',
    path: '/login',
    isPublic: true,
    prepareAction: (page) =>
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
    open: (page) => page.getByRole('img', { name: 'QR code of your secret key' }).waitFor(),
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
