import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { useSession } from '../../shared/session/session.ts'
import { RegistrationTwoFactorPage } from './registration-two-factor-page.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'
import { VerifyEmailPage } from './verify-email-page.tsx'

const verify = 'POST /api/auth/verify-email'
const reset = 'POST /api/auth/reset-password'
const verified = { requires_2fa_setup: false, user_id: someUser.id, user: someUser }
let links = 0

function Search() {
  return <output aria-label="search">{useLocation().search}</output>
}

/** Renders a page that a mail links to, with names for the pages it leads to. */
function openLink(path: string, page: ReactNode, handlers: Parameters<typeof fakeServer>[0] = {}, reader?: User) {
  const calls = fakeServer(handlers)
  const view = renderAt(
    path,
    <>
      <Routes>
        <Route path={path.replace(/\?.*/, '')} element={page} />
        <Route path="/" element={<h1>page home</h1>} />
        {['dashboard', 'login', 'signup', 'registration-2fa'].map((name) => (
          <Route key={name} path={`/${name}`} element={<h1>{`page ${name}`}</h1>} />
        ))}
      </Routes>
      <Search />
    </>,
    reader,
  )
  return { calls, ...view }
}

/** Opens the link of a verification mail; each has its own token. */
function openVerification(answer: Parameters<typeof fakeServer>[0][string]) {
  links += 1
  return openLink(`/verify-email?token=link${links}`, <VerifyEmailPage />, { [verify]: answer })
}

const heading = (name: string) => screen.findByRole('heading', { name })

/** The page of the link, together with an observer of the session. */
function WithSession() {
  useSession()
  return <VerifyEmailPage />
}

function expectHelp() {
  const help = within(screen.getByRole('list'))
  const lines = help.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines).toEqual([
    'Check your spam folder.',
    'Make sure the address is the one you registered with.',
    'The link expires in 24 hours.',
    'Still nothing? Contact support.',
  ])
  expect(help.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
}

describe('the link of a verification mail', () => {
  it('sends its token and shows that it is at work', async () => {
    const { calls } = openVerification(() => new Promise(() => {}))
    expect(screen.getByRole('status', { name: 'Verifying your email' })).toBeVisible()
    expect(calls).toMatchObject([{ key: verify, body: { token: `link${links}` } }])
  })

  it('leads to the dashboard once the address is verified', async () => {
    const { user } = openVerification(() => ({ body: verified }))
    expect(await heading('Email Verified')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Go to Dashboard' }))
    expect(await heading('page dashboard')).toBeVisible()
  })

  it('loads the profile of somebody signed in again once the address is verified', async () => {
    const read = 'GET /api/auth/profile'
    localStorage.setItem('access_token', 'a')
    links += 1
    const handlers = {
      [verify]: () => ({ body: verified }),
      [read]: () => ({ body: { user: someUser, backup_codes_left: 0 } }),
    }
    const { calls } = openLink(`/verify-email?token=link${links}`, <WithSession />, handlers, someUser)
    expect(await heading('Email Verified')).toBeVisible()
    await waitFor(() => expect(calls.map(({ key }) => key)).toEqual([verify, read]))
  })

  it('says that two-factor set-up is next, and leads there by itself', async () => {
    openVerification(() => ({ body: { ...verified, requires_2fa_setup: true } }))
    expect(await screen.findByText('The next step is two-factor authentication.')).toBeVisible()
    expect(await heading('page registration-2fa')).toBeVisible()
    expect(screen.getByRole('status', { name: 'search' })).toHaveTextContent(`?user_id=${someUser.id}`)
  })

  it.each([
    ['the error of the server', () => failure(400, 'The kettle is on.'), 'The kettle is on.'],
    ['its own words without one', offline, 'There was an error verifying your email address.'],
  ])('shows %s where it fails, with help', async (_, answer, text) => {
    openVerification(answer)
    expect(await heading('Verification Failed')).toBeVisible()
    expect(screen.getByText(text)).toBeVisible()
    expectHelp()
  })

  it.each([
    ['Go to Login', 'page login'],
    ['Sign Up Again', 'page signup'],
  ])('offers %s where it fails', async (button, page) => {
    const { user } = openVerification(() => failure(400, 'no'))
    await user.click(await screen.findByRole('button', { name: button }))
    expect(await heading(page)).toBeVisible()
  })

  it.each([
    ['', 'Open the verification link that was sent to you.'],
    ['?email=nadia@example.org', 'The verification link was sent to nadia@example.org.'],
  ])('without a token (%s) says to check the mail', async (search, text) => {
    const { user } = openLink(`/verify-email${search}`, <VerifyEmailPage />)
    expect(await heading('Check Your Email')).toBeVisible()
    expect(screen.getByText((_, element) => element?.textContent === text)).toBeVisible()
    expectHelp()
    await user.click(screen.getByRole('button', { name: 'Go to Login' }))
    expect(await heading('page login')).toBeVisible()
  })
})

describe('the link of a reset mail', () => {
  const path = '/reset-password?token=abc'

  it('leads to the dashboard without a token', async () => {
    openLink('/reset-password', <ResetPasswordPage />)
    expect(await heading('page dashboard')).toBeVisible()
  })

  it('sends its token with the new password, and leads to the dashboard', async () => {
    const { user, calls } = openLink(path, <ResetPasswordPage />, { [reset]: () => ({ body: { message: 'ok' } }) })
    for (const label of ['New password', 'Confirm new password']) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: 'Correct1!' } })
    }
    await user.click(screen.getByRole('button', { name: 'Reset Password' }))
    expect(await heading('page dashboard')).toBeVisible()
    expect(calls.find(({ key }) => key === reset)?.body).toEqual({ token: 'abc', new_password: 'Correct1!' })
  })

  it('leads to the dashboard on the way back', async () => {
    const { user } = openLink(path, <ResetPasswordPage />)
    await user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(await heading('page dashboard')).toBeVisible()
  })
})

describe('the two-factor set-up of a registration', () => {
  const path = `/registration-2fa?user_id=${someUser.id}`
  const handlers = {
    'POST /api/auth/registration/setup-2fa': () => ({
      body: { qr_code: 'data:,', secret: 'ABCD', backup_codes: ['A'] },
    }),
    'POST /api/auth/registration/verify-2fa': () => ({ body: { message: 'ok' } }),
  }

  it('sends the user id, and leads home once it is completed', async () => {
    const { user, calls } = openLink(path, <RegistrationTwoFactorPage />, handlers)
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    fireEvent.change(screen.getByLabelText('Verification code'), { target: { value: '123456' } })
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await user.click(await screen.findByRole('button', { name: 'Complete Registration' }))
    expect(await heading('page home')).toBeVisible()
    const user_id = someUser.id
    expect(calls.map(({ body }) => body)).toEqual([{ user_id }, { user_id, totp_token: '123456' }])
  })

  it('leads to the dashboard when it is cancelled', async () => {
    const { user } = openLink(path, <RegistrationTwoFactorPage />, handlers)
    await user.click(await screen.findByRole('button', { name: 'Cancel Registration' }))
    expect(await heading('page dashboard')).toBeVisible()
  })
})
