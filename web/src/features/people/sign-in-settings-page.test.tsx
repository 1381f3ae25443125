import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { defaultSignInSettings } from '#contract/sign-in-settings.ts'
import { plainAdmin, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, serverConfig } from '../../testing/fake-server.ts'
import { renderPeople } from '../../testing/people.tsx'
import { SignInSettingsPage } from './sign-in-settings-page.tsx'

const readKey = 'GET /api/auth/super-admin/sign-in-settings'
const changeKey = 'PUT /api/auth/super-admin/sign-in-settings'
const providersKey = 'GET /api/auth/super-admin/sign-in-providers'

function renderSettings(settings = {}, fixed: string[] = [], handlers: Parameters<typeof renderPeople>[2] = {}) {
  return renderPeople('/admin/sign-in', <SignInSettingsPage />, {
    user: superAdmin,
    handlers: {
      [readKey]: () => ({ body: { settings: { ...defaultSignInSettings, ...settings }, fixed } }),
      [providersKey]: () => ({ body: { providers: [] } }),
      ...handlers.handlers,
    },
  })
}

describe('registration and sessions', () => {
  it('are for super admins', () => {
    renderPeople('/admin/sign-in', <SignInSettingsPage />, { user: plainAdmin })
    expect(screen.getByText('You need super admin privileges to access this page.')).toBeVisible()
  })

  it('are saved only where something changed', async () => {
    const { user, bodiesOf, client } = renderSettings({}, [], {
      handlers: { [changeKey]: ({ body }) => ({ body: { settings: body, fixed: [] } }) },
    })
    client.setQueryData(['config'], serverConfig)
    const save = await screen.findByRole('button', { name: 'Save Changes' })
    expect(save).toBeDisabled()
    const group = within(screen.getByRole('radiogroup', { name: 'Who may create an account' }))
    expect(group.getByRole('radio', { name: 'Open' })).toBeChecked()
    await user.click(group.getByRole('radio', { name: 'By domain' }))
    await user.type(screen.getByRole('combobox', { name: 'Domains' }), 'Example.org,')
    expect(save).toBeEnabled()
    await user.click(save)
    expect(await screen.findByText('Settings saved')).toBeVisible()
    expect(bodiesOf(changeKey)).toMatchObject([{ registration: 'domains', registration_domains: ['Example.org'] }])
    await waitFor(() => expect(save).toBeDisabled())
    expect(client.getQueryState(['config'])?.isInvalidated).toBe(true)
  })

  it('changes are discarded', async () => {
    const { user } = renderSettings()
    await user.click(await screen.findByRole('radio', { name: 'Closed' }))
    expect(screen.getByText('There are changes that are not saved.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByRole('radio', { name: 'Open' })).toBeChecked()
    expect(screen.queryByText('There are changes that are not saved.')).toBeNull()
  })

  it('errors are shown at their fields', async () => {
    const message = 'An unused session cannot last longer than any session'
    const { user } = renderSettings({}, [], {
      handlers: {
        [changeKey]: () =>
          failure(400, 'x', { code: 'invalid_input', details: [message], fields: { session_idle_hours: [message] } }),
      },
    })
    const [idle] = await screen.findAllByLabelText('Unused, after')
    if (!idle) throw new Error('no field')
    await user.clear(idle)
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(idle).toHaveAccessibleDescription('Please enter a whole number from 1 to 720')
    expect(idle).toHaveFocus()
    await user.type(idle, '48')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(idle).toHaveAccessibleDescription(message))
  })

  it('a second factor is required of whom a super admin chooses, after so many days', async () => {
    localStorage.setItem('access_token', 'a')
    const due = '2026-12-03T14:30:00.000Z'
    const { user, bodiesOf, client } = renderSettings({}, [], {
      handlers: {
        [changeKey]: ({ body }) => ({ body: { settings: body, fixed: [] } }),
        'GET /api/auth/profile': () => ({
          body: { user: { ...superAdmin, two_factor_due: due }, backup_codes_left: 0 },
        }),
      },
    })
    const group = within(await screen.findByRole('radiogroup', { name: 'Who needs two-factor authentication' }))
    expect(group.getByRole('radio', { name: 'Everybody' })).toBeChecked()
    expect(screen.getByLabelText('Days to set it up')).toHaveValue('7 days')
    await user.click(group.getByRole('radio', { name: 'Nobody' }))
    expect(screen.queryByLabelText('Days to set it up')).toBeNull()
    await user.click(group.getByRole('radio', { name: 'Administrators' }))
    const days = screen.getByLabelText('Days to set it up')
    await user.clear(days)
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(days).toHaveAccessibleDescription(/Please enter a whole number from 0 to 365/)
    await user.type(days, '14')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Settings saved')).toBeVisible()
    expect(bodiesOf(changeKey)).toMatchObject([{ two_factor_policy: 'administrators', two_factor_grace_days: 14 }])
    // The super admin's session shows the due date at once.
    await waitFor(() => expect(client.getQueryData(['session'])).toMatchObject({ two_factor_due: due }))
  })

  it('fields that are not shown do not keep others from being saved, and keep their stored values', async () => {
    localStorage.setItem('access_token', 'a')
    const byDomain = { registration: 'domains', registration_domains: ['a.example.org'] }
    const { user, bodiesOf } = renderSettings(byDomain, [], {
      handlers: {
        [changeKey]: ({ body }) => ({ body: { settings: body, fixed: [] } }),
        'GET /api/auth/profile': () => ({ body: { user: superAdmin, backup_codes_left: 0 } }),
      },
    })
    await user.clear(await screen.findByLabelText('Days to set it up'))
    await user.click(screen.getByRole('radio', { name: 'Nobody' }))
    await user.type(screen.getByRole('combobox', { name: 'Domains' }), 'example,')
    await user.click(screen.getByRole('radio', { name: 'By invitation' }))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Settings saved')).toBeVisible()
    expect(bodiesOf(changeKey)).toMatchObject([
      {
        registration: 'invitation',
        registration_domains: ['a.example.org'],
        two_factor_policy: 'nobody',
        two_factor_grace_days: 7,
      },
    ])
  })

  it('the second factor that GATE_REQUIRES_2FA decides is read-only', async () => {
    renderSettings({ two_factor_policy: 'everybody' }, ['two_factor_policy', 'two_factor_grace_days'])
    expect(await screen.findAllByText('Set by the environment')).toHaveLength(2)
    expect(screen.getByRole('radio', { name: 'Everybody' })).toBeEnabled()
    expect(screen.getByRole('radio', { name: 'Nobody' })).toBeDisabled()
    expect(screen.getByLabelText('Days to set it up')).toHaveAttribute('readonly')
  })

  it('what the environment decides is read-only and says so', async () => {
    renderSettings({ registration: 'domains', registration_domains: ['example.org'] }, [
      'registration',
      'registration_domains',
      'session_hours',
    ])
    expect(await screen.findAllByText('Set by the environment')).toHaveLength(3)
    expect(screen.getByRole('radio', { name: 'By domain' })).toBeEnabled()
    expect(screen.getByRole('radio', { name: 'Open' })).toBeDisabled()
    expect(screen.getByRole('combobox', { name: 'Domains' })).toHaveAttribute('readonly')
    expect(screen.getAllByLabelText('At the latest, after').map((field) => field.hasAttribute('readonly'))).toEqual([
      true,
      false,
    ])
  })

  it('can be tried again where they could not be loaded', async () => {
    renderSettings({}, [], { handlers: { [readKey]: () => failure(500, 'The kettle is on.') } })
    expect(await screen.findByText('The kettle is on.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
