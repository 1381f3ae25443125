import type { Response } from '#contract/endpoint.ts'
import type { holds } from '#contract/endpoints/holds.ts'
import type { retention } from '#contract/endpoints/retention.ts'
import type { invitations } from '#contract/endpoints/invitations.ts'
import type { superAdmin } from '#contract/endpoints/admin.ts'
import type { models } from '#contract/endpoints/models.ts'
import { OidcProviderInput, type SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { testUser } from './admin-scenes.ts'
import { clickMenuItem, clickButton, type DialogGroup } from './scene-tools.ts'

const at = '2026-01-02T03:04:05.000Z'
const owner = { id: 'b'.repeat(24), name: 'Zarghuna', email: testUser.email }

const held: Response<typeof holds.list> = {
  cases: [
    {
      id: 'c'.repeat(24),
      name: 'Harbour',
      owner,
      recording_count: 3,
      hold: {
        of: 'case',
        case: { id: 'c'.repeat(24), name: 'Harbour' },
        reason: 'Harbour',
        set_by: 'Nazo',
        is_by_admin: true,
        set_at: at,
        can_lift: true,
      },
    },
  ],
  recordings: [],
}

const rules: Response<typeof retention.get> = {
  setting_days: 90,
  role_days: { user: null, admin: null, super_admin: 0 },
  cases: [{ case: { id: 'c'.repeat(24), name: 'Harbour', owner }, days: 365, recording_count: 3, is_held: false }],
}

const due: Response<typeof retention.dryRun> = {
  recordings: [
    {
      id: 'd'.repeat(24),
      owner,
      uploaded_at: at,
      duration: 63,
      size: 500_000,
      rule: 'case',
      case: { id: 'c'.repeat(24), name: 'Harbour' },
      days: 365,
      due_at: at,
    },
  ],
  total: 1,
  page: 1,
  per_page: 25,
  pages: 1,
  total_size: 500_000,
  texts: 0,
  held: 0,
  until: at,
}

const invited: Response<typeof invitations.list> = {
  invitations: [
    {
      id: 'a'.repeat(24),
      email: testUser.email,
      first_name: 'زرغونه',
      last_name: '',
      role: 'user',
      state: 'pending',
      accepted_at: null,
      invited_by: 'Nazo',
      created_at: at,
      sent_at: at,
      expires_at: '2030-01-02T03:04:05.000Z',
    },
  ],
  total: 1,
  page: 1,
  per_page: 25,
  pages: 1,
}

const invitationMail: Response<typeof superAdmin.readMail> = {
  id: 'a'.repeat(24),
  to: testUser.email,
  subject: 'Your invitation to Awaz',
  purpose: 'invitation',
  attempts: 0,
  last_error: null,
  next_try_at: null,
  created_at: at,
  expires_at: '2030-01-02T03:04:05.000Z',
  text: 'https://awaz.example.org/invitation?token=example',
}

const keycloak: SignInProvider = {
  ...OidcProviderInput.parse({ kind: 'oidc', name: 'Harbour', issuer: 'https://id.example.org', client_id: 'awaz' }),
  id: 'a'.repeat(24),
  has_secret: true,
  created_at: at,
  users: 3,
  callback_url: 'https://awaz.example.org/api/auth/sso/oidc/callback',
}

const userActions = new RegExp(`^Actions for ${testUser.firstName}`)

/** Of the administration. */
export const consoleDialogs: DialogGroup[] = [
  {
    path: '/admin/retention',
    async prepare(page) {
      await page.route('**/api/auth/admin/holds', (route) => route.fulfill({ json: held }))
      await page.route('**/api/auth/admin/retention', (route) => route.fulfill({ json: rules }))
      await page.route('**/api/auth/admin/retention/dry-run?*', (route) => route.fulfill({ json: due }))
    },
    dialogs: {
      'days by role': clickButton('Days by role'),
      'days of a case': clickButton('Add a case'),
      'change the days of a case': clickButton('Change the days of Harbour'),
      'hold a recording that is due': clickButton(/^Hold the recording of Zarghuna/),
      'lift a hold': clickButton(/^Lift the hold of the case of/),
    },
  },
  {
    path: '/admin/invitations',
    prepare: (page) => page.route('**/api/auth/admin/invitations?*', (route) => route.fulfill({ json: invited })),
    dialogs: {
      'invite somebody': clickButton('Invite'),
      'choose a list of people': clickButton('Import CSV'),
      'menu of an invitation': clickButton(/^Actions for zarghuna/),
      'revoke an invitation': clickMenuItem(/^Actions for zarghuna/, 'Revoke'),
    },
  },
  {
    path: '/admin/sign-in',
    prepare: (page) =>
      page.route('**/api/auth/super-admin/sign-in-providers', (route) =>
        route.fulfill({ json: { providers: [keycloak] } }),
      ),
    dialogs: {
      'choose a kind of provider': clickButton('Add provider'),
      'test a provider': clickButton('Test Harbour'),
      'change a provider': clickButton('Change Harbour'),
      'remove a provider': clickButton('Remove Harbour'),
    },
  },
  {
    path: `/super-admin?q=${testUser.username}`,
    prepare: (page) =>
      page.route(/\/users\?/, async (route) => {
        const response = await route.fetch()
        const body: { users: object[] } = await response.json()
        await route.fulfill({
          response,
          json: { ...body, users: body.users.map((user) => ({ ...user, two_factor_enabled: true })) },
        })
      }),
    dialogs: {
      'create a user': clickButton('Create User'),
      'menu of a user': clickButton(userActions),
      'edit a user': clickMenuItem(userActions, 'Edit'),
      'reset a password': clickMenuItem(userActions, 'Reset Password'),
      'reset two-factor': clickMenuItem(userActions, 'Reset Two-Factor'),
      'revoke sessions': clickMenuItem(userActions, 'Revoke Sessions'),
      'delete a user': clickMenuItem(userActions, 'Delete'),
    },
  },
  {
    path: '/super-admin/outbox',
    async prepare(page) {
      const { text, ...mail } = invitationMail
      const outbox: Response<typeof superAdmin.outbox> = { is_smtp_configured: false, mails: [mail] }
      await page.route('**/api/auth/super-admin/outbox', (route) => route.fulfill({ json: outbox }))
      await page.route(`**/api/auth/super-admin/outbox/${mail.id}`, (route) =>
        route.fulfill({ json: { ...mail, text } }),
      )
    },
    dialogs: {
      async 'a mail'(page) {
        await clickButton(/^Read /)(page)
        await page.getByRole('dialog').getByText(invitationMail.text).waitFor()
      },
      async 'invitations on one page'(page) {
        await clickButton('Invitations on one page')(page)
        await page.getByRole('dialog').getByText(invitationMail.text).waitFor()
      },
    },
  },
  {
    path: '/admin/system/models',
    prepare: (page) =>
      page.route('**/api/admin/models', async (route) => {
        const response = await route.fetch()
        const body: Response<typeof models.list> = await response.json()
        const ofOwn = body.models?.map((model) => ({ ...model, is_demo: false }))
        await route.fulfill({ response, json: { ...body, models: ofOwn ?? null } })
      }),
    dialogs: {
      'remove a model': clickButton(/^Remove Awaz demo translator/),
      'use a model': clickButton(/^Use Awaz demo translator/),
      'import a model': (page) =>
        page.getByLabel('Files of a model').setInputFiles({
          name: 'Harbour.bin',
          mimeType: 'application/octet-stream',
          buffer: Buffer.from('lmgg'),
        }),
    },
  },
]
