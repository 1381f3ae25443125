import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { LdapProviderInput, OidcProviderInput, type SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { superAdmin } from '../../../testing/admin-panel.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { renderPeople } from '../../../testing/people.tsx'
import { ProvidersPanel } from './providers-panel.tsx'

const base = '/api/auth/super-admin/sign-in-providers'
const stored = { id: 'a'.repeat(24), has_secret: true, created_at: '2026-01-02T03:04:05.000Z', users: 3 }
const callbackUrl = `https://awaz.example.org/api/auth/sso/oidc/${stored.id}/callback`
const keycloak: SignInProvider = {
  ...OidcProviderInput.parse({ kind: 'oidc', name: 'Keycloak', issuer: 'https://id.example.org', client_id: 'awaz' }),
  ...stored,
  callback_url: callbackUrl,
}
const directory: SignInProvider = {
  ...LdapProviderInput.parse({ kind: 'ldap', name: 'Staff', url: 'ldaps://dc.example.org', base_dn: 'dc=example' }),
  ...stored,
  id: 'b'.repeat(24),
  users: 0,
}

type Handlers = NonNullable<NonNullable<Parameters<typeof renderPeople>[2]>['handlers']>

function renderPanel(providers: SignInProvider[], handlers: Handlers = {}) {
  return renderPeople('/admin/sign-in', <ProvidersPanel />, {
    user: superAdmin,
    handlers: { [`GET ${base}`]: () => ({ body: { providers } }), ...handlers },
  })
}

describe('the list of providers', () => {
  it('explains itself while it is empty', async () => {
    renderPanel([])
    expect(await screen.findByText(/administrators get in while a provider is down/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add provider' })).toBeVisible()
  })

  it('says kind, address, state and how many people use each', async () => {
    renderPanel([keycloak, { ...directory, is_enabled: false }])
    const first = within(await screen.findByRole('listitem', { name: 'Keycloak' }))
    expect(first.getByText('https://id.example.org')).toBeVisible()
    expect(first.getByText('3 people linked')).toBeVisible()
    expect(first.getByRole('switch', { name: 'Offer Keycloak on the sign-in page' })).toBeChecked()
    const second = within(screen.getByRole('listitem', { name: 'Staff' }))
    expect(second.getByText('Nobody has signed in with it yet')).toBeVisible()
    expect(second.getByRole('switch')).not.toBeChecked()
  })

  it('switches a provider off without touching its secret', async () => {
    const key = `PUT ${base}/${keycloak.id}`
    const { user, bodiesOf } = renderPanel([keycloak], { [key]: () => ({ body: { provider: keycloak } }) })
    await user.click(await screen.findByRole('switch', { name: 'Offer Keycloak on the sign-in page' }))
    await waitFor(() => expect(bodiesOf(key)).toMatchObject([{ name: 'Keycloak', is_enabled: false }]))
    expect(Object.keys(bodiesOf(key)[0] ?? {})).not.toContain('client_secret')
    await waitFor(() => expect(bodiesOf(`GET ${base}`)).toHaveLength(2))
  })

  it('removes a provider once it was said what that does to people', async () => {
    const key = `DELETE ${base}/${keycloak.id}`
    const { user, bodiesOf } = renderPanel([keycloak], { [key]: () => ({ body: { message: 'ok' } }) })
    await user.click(await screen.findByRole('button', { name: 'Remove Keycloak' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^3 people are linked to it. Their accounts and recordings stay/)).toBeVisible()
    expect(bodiesOf(key)).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Remove provider' }))
    expect(await screen.findByText('Keycloak removed')).toBeVisible()
  })

  it('tests a directory with the name of a person', async () => {
    const key = `POST ${base}/${directory.id}/test`
    const { user, bodiesOf } = renderPanel([directory], {
      [key]: () => ({ body: { is_working: false, details: ['Connected', 'Nobody is named zarghuna'] } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Test Staff' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('User name'), ' zarghuna {Enter}')
    const result = await dialog.findByRole('status')
    expect(result).toHaveTextContent('It does not work')
    expect(
      within(result)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Connected', 'Nobody is named zarghuna'])
    expect(bodiesOf(key)).toEqual([{ username: 'zarghuna' }])
  })
})

describe('adding a provider', () => {
  /** Pastes the text: typing renders the long form once per letter. */
  async function fill(user: ReturnType<typeof renderPanel>['user'], field: HTMLElement, text: string) {
    await user.click(field)
    await user.paste(text)
  }

  async function choose(preset: RegExp, handlers: Handlers = {}) {
    const view = renderPanel([], handlers)
    await view.user.click(await screen.findByRole('button', { name: 'Add provider' }))
    const dialog = within(await screen.findByRole('dialog'))
    await view.user.click(dialog.getByRole('button', { name: preset }))
    return { ...view, dialog }
  }

  it('begins with what is usual in Active Directory', async () => {
    const { dialog } = await choose(/^Active Directory/)
    expect(dialog.getByLabelText('Attribute: lasting id')).toHaveValue('objectGUID')
    expect(dialog.getByLabelText('Filter')).toHaveValue(
      '(&(objectCategory=person)(objectClass=user)(|(sAMAccountName={username})(userPrincipalName={username})))',
    )
    expect(dialog.getByLabelText(/^Address/)).toHaveAttribute('placeholder', 'ldaps://dc.example.org')
  })

  it('creates an OpenID provider with roles by group, and shows the addresses it must know', async () => {
    const { user, dialog, bodiesOf } = await choose(/^Keycloak/, {
      [`POST ${base}`]: () => ({ status: 201, body: { provider: keycloak } }),
    })
    await fill(user, dialog.getByLabelText(/^Issuer/), 'https://id.example.org')
    await fill(user, dialog.getByLabelText(/^Client ID/), 'awaz')
    await fill(user, dialog.getByLabelText('Client secret'), 's3cret')
    await user.click(dialog.getByRole('button', { name: 'Add group' }))
    await fill(user, dialog.getByLabelText('Group 1'), 'awaz-admins')
    await user.click(dialog.getByRole('combobox', { name: 'Role of group 1' }))
    await user.click(await screen.findByRole('option', { name: 'Admin' }))
    await user.click(dialog.getByRole('button', { name: 'Add group' }))
    await user.click(dialog.getByRole('combobox', { name: 'Everybody else' }))
    await user.click(await screen.findByRole('option', { name: 'May not sign in' }))
    await user.click(dialog.getByRole('button', { name: 'Add provider' }))
    expect(await dialog.findByLabelText('Redirect address')).toHaveValue(callbackUrl)
    expect(dialog.getByLabelText('Back-channel logout address')).toHaveValue(callbackUrl.replace('callback', 'logout'))
    expect(bodiesOf(`POST ${base}`)).toMatchObject([
      {
        kind: 'oidc',
        name: 'Keycloak',
        issuer: 'https://id.example.org',
        client_id: 'awaz',
        client_secret: 's3cret',
        group_roles: [{ group: 'awaz-admins', role: 'admin' }],
        default_role: null,
      },
    ])
    expect(dialog.getByRole('button', { name: 'Test the connection' })).toBeVisible()
  })

  it('names what is missing at its field, and what the server refuses', async () => {
    const message = 'Please use ldaps:// or turn on StartTLS: passwords never travel in the clear'
    const { user, dialog } = await choose(/^OpenLDAP/, {
      [`POST ${base}`]: () =>
        failure(400, 'x', { code: 'invalid_input', details: [message], fields: { url: [message] } }),
    })
    await user.click(dialog.getByRole('button', { name: 'Add provider' }))
    const address = dialog.getByLabelText(/^Address/)
    expect(address).toHaveAccessibleDescription(/Please enter an address such as ldaps:/)
    expect(address).toHaveFocus()
    expect(dialog.getByText('Base DN is required')).toBeVisible()
    await fill(user, address, 'ldap://dc.example.org')
    await fill(user, dialog.getByLabelText(/^Base DN\s*\*?$/), 'dc=example')
    await user.click(dialog.getByRole('button', { name: 'Add provider' }))
    await waitFor(() => expect(address).toHaveAccessibleDescription(new RegExp(message.slice(0, 40))))
  })

  it('goes back to the choice', async () => {
    const { user, dialog } = await choose(/^Microsoft Entra ID/)
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByRole('button', { name: /^Keycloak/ })).toBeVisible()
  })
})

describe('changing a provider', () => {
  it('warns before another issuer deletes the links of accounts', async () => {
    const { user } = renderPanel([keycloak])
    await user.click(await screen.findByRole('button', { name: 'Change Keycloak' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryByText(/Another issuer is another provider/)).toBeNull()
    await user.click(dialog.getByLabelText(/^Issuer/))
    await user.paste('/other')
    expect(dialog.getByText(/Another issuer is another provider/)).toBeVisible()
  })

  it('keeps a secret that is not entered again', async () => {
    const key = `PUT ${base}/${keycloak.id}`
    const { user, bodiesOf } = renderPanel([keycloak], { [key]: () => ({ body: { provider: keycloak } }) })
    await user.click(await screen.findByRole('button', { name: 'Change Keycloak' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText('Client secret')).toHaveAccessibleDescription(
      'One is stored. Leave this empty to keep it.',
    )
    expect(dialog.getByLabelText('Redirect address')).toHaveValue(callbackUrl)
    await user.clear(dialog.getByLabelText(/^Name/))
    await user.click(dialog.getByLabelText(/^Name/))
    await user.paste('Staff')
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodiesOf(key)).toMatchObject([{ name: 'Staff', issuer: 'https://id.example.org' }])
    expect(Object.keys(bodiesOf(key)[0] ?? {})).not.toEqual(expect.arrayContaining(['client_secret', 'callback_url']))
  })
})
