import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'
import { ProfilePage } from './profile-page.tsx'

type Answer = () => { status?: number; body: unknown }

async function save(answer: Answer) {
  fakeServer({ 'PUT /api/auth/profile': answer })
  const { user } = renderAt('/settings/profile', <ProfilePage />, { ...someUser, is_verified: false })
  await user.type(screen.getByLabelText(/^Username/), '2')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
}

async function resend(answer: Answer) {
  fakeServer({ 'POST /api/auth/resend-verification': answer })
  const { user } = renderAt('/settings/profile', <ProfilePage />, { ...someUser, is_verified: false })
  await user.click(screen.getByRole('button', { name: 'Resend' }))
}

describe('profile messages', () => {
  it.each([
    ['profile-failed', save, () => failure(500)],
    ['profile-failed', save, offline],
    ['profile-verification-mail', resend, () => failure(500)],
    ['profile-verification-mail', resend, offline],
    ['profile-verification-sent', resend, () => ({ body: { message: 'something else' } })],
  ] as const)('the profile shows %s', async (situation, act, answer) => {
    await act(answer)
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })

  it.each([
    ['saving', save],
    ['requesting the mail', resend],
  ])('%s shows the message of the server', async (_, act) => {
    await act(() => failure(409, 'The kettle is on.'))
    expect(await screen.findByText('The kettle is on.')).toBeVisible()
  })

  it('are all of the table', () => {
    expect(unseenMessages('profile-')).toEqual([])
  })
})
