import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure, someUser } from '../../testing/fake-server.ts'
import { renderPeople } from '../../testing/people.tsx'
import { AcceptInvitationPage } from './accept-invitation-page.tsx'
import { suggestUsername } from './suggest-username.ts'

const checkKey = 'POST /api/auth/invitations/check'
const acceptKey = 'POST /api/auth/invitations/accept'
const path = '/invitation?token=abc'
const invitation = {
  email: 'zarghuna.ana@example.org',
  first_name: 'Zarghuna',
  last_name: '',
  role: 'admin',
  invited_by: 'Nadia Ahmadi',
  expires_at: '2026-01-09T03:04:05.000Z',
}
const address = () => screen.getByRole('status', { name: 'address' }).textContent

function renderInvitation(accept: () => object = () => ({}), user: typeof someUser | null = null) {
  return renderPeople(path, <AcceptInvitationPage />, {
    user,
    handlers: {
      [checkKey]: () => ({ body: invitation }),
      [acceptKey]: () => ({ body: {}, ...accept() }),
      'POST /api/auth/signout': () => ({ body: { message: 'ok' } }),
    },
  })
}

async function fillIn(user: ReturnType<typeof renderInvitation>['user']) {
  await user.type(await screen.findByLabelText(/^Password/, { selector: 'input' }), 'Quiet.Hill42')
  await user.type(screen.getByLabelText(/^Confirm password/, { selector: 'input' }), 'Quiet.Hill42')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
}

describe('accepting an invitation', () => {
  it('says who invites whom, and fills in what is known', async () => {
    const { bodiesOf } = renderInvitation()
    expect(await screen.findByRole('heading', { name: 'You are invited' })).toBeVisible()
    expect(bodiesOf(checkKey)).toEqual([{ token: 'abc' }])
    expect(screen.getByText(/invites you to Awaz as an admin/)).toHaveTextContent('Nadia Ahmadi')
    const email = screen.getByLabelText('Email')
    expect(email).toHaveValue('zarghuna.ana@example.org')
    expect(email).toHaveAttribute('readonly')
    expect(screen.getByLabelText('First name')).toHaveValue('Zarghuna')
    expect(screen.getByLabelText(/^Username/)).toHaveValue('zarghuna.ana')
    expect(screen.getByRole('list', { name: 'Password requirements' })).toBeVisible()
  })

  it('creates the account and goes on to two-factor set-up', async () => {
    const { user, bodiesOf } = renderInvitation(() => ({
      status: 201,
      body: { requires_2fa_setup: true, user_id: someUser.id, user: someUser },
    }))
    await fillIn(user)
    await waitFor(() => expect(address()).toBe(`/registration-2fa?user_id=${someUser.id}`))
    expect(bodiesOf(acceptKey)).toEqual([
      { token: 'abc', first_name: 'Zarghuna', last_name: '', username: 'zarghuna.ana', password: 'Quiet.Hill42' },
    ])
  })

  it('leads to sign-in where no two-factor is set up', async () => {
    const { user } = renderInvitation(() => ({
      status: 201,
      body: { requires_2fa_setup: false, user_id: someUser.id, user: someUser },
    }))
    await fillIn(user)
    await waitFor(() => expect(address()).toBe('/login'))
  })

  it('has the rules of registration', async () => {
    const { user, bodiesOf } = renderInvitation()
    await user.type(await screen.findByLabelText(/^Password/, { selector: 'input' }), 'weak')
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(screen.getByText('Please choose a stronger password')).toBeVisible()
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(screen.getByText('You must agree to the terms and conditions')).toBeVisible()
    expect(bodiesOf(acceptKey)).toEqual([])
  })

  it('shows a taken username at its field', async () => {
    const { user } = renderInvitation(() => failure(409, 'something else', { code: 'username_taken' }))
    await fillIn(user)
    await waitFor(() =>
      expect(screen.getByLabelText(/^Username/)).toHaveAccessibleDescription('Username already taken'),
    )
  })

  it.each([
    [failure(409, 'x', { code: 'email_taken' }), /An account with this address exists already. Please sign in/],
    [failure(403, 'The invitation was revoked.', { code: 'invitation_invalid' }), /The invitation was revoked./],
    [failure(500), /Server error. Please try again later./],
  ])('shows what concerns no field above the form', async (answer, sentence) => {
    const { user } = renderInvitation(() => answer)
    await fillIn(user)
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  })

  it('says that somebody else is signed in and offers to sign out', async () => {
    const { user } = renderInvitation(undefined, someUser)
    expect(await screen.findByText('You are signed in as nadia@example.org')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Sign out first' }))
    await waitFor(() => expect(screen.queryByText('You are signed in as nadia@example.org')).toBeNull())
  })
})

describe('a link that does not work', () => {
  it('gives the reason of the server and says what to do next', async () => {
    const { user } = renderPeople(path, <AcceptInvitationPage />, {
      user: null,
      handlers: { [checkKey]: () => failure(403, 'This invitation has expired.', { code: 'invitation_invalid' }) },
    })
    expect(await screen.findByRole('heading', { name: 'This invitation does not work' })).toBeVisible()
    expect(screen.getByText('This invitation has expired.')).toBeVisible()
    expect(screen.getByText(/Ask whoever invited you to send a new link/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Go to Login' }))
    expect(address()).toBe('/login')
  })

  it('without a token is said to be incomplete', async () => {
    renderPeople('/invitation', <AcceptInvitationPage />, { user: null })
    expect(await screen.findByRole('heading', { name: 'The link is not complete' })).toBeVisible()
  })

  it('can be tried again where the server could not be reached', async () => {
    let isDown = true
    const { user } = renderPeople(path, <AcceptInvitationPage />, {
      user: null,
      handlers: { [checkKey]: () => (isDown ? failure(503, 'The server is starting.') : { body: invitation }) },
    })
    expect(await screen.findByText('The server is starting.')).toBeVisible()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'You are invited' })).toBeVisible()
  })
})

it.each([
  ['zarghuna.ana@example.org', 'zarghuna.ana'],
  ['a.b+calls@example.org', 'a.b'],
  ["o'neill@example.org", 'o.neill'],
  ['_x__y_@example.org', 'x_y'],
  ['زرغونه@example.org', 'زرغونه'],
  ['!!!@example.org', ''],
])('the username suggested for %s is %s', (email, username) => {
  expect(suggestUsername(email)).toBe(username)
})
