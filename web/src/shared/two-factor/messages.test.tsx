import { screen } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, it, vi } from 'vitest'
import { RegistrationTwoFactorPage } from '../../features/auth/registration-two-factor-page.tsx'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'

const setUp = 'POST /api/auth/registration/setup-2fa'
const verify = 'POST /api/auth/registration/verify-2fa'
const secret = 'JBSWY3DPEHPK3PXP'
const begun = { body: { qr_code: 'data:image/png;base64,AA==', secret, backup_codes: ['abcd1234', 'efgh5678'] } }

function renderWizard(handlers: Parameters<typeof fakeServer>[0]) {
  fakeServer({ [setUp]: () => begun, [verify]: () => ({ body: { message: 'something else' } }), ...handlers })
  return renderAt(
    `/registration-2fa?user_id=${someUser.id}`,
    <Routes>
      <Route path="/registration-2fa" element={<RegistrationTwoFactorPage />} />
      <Route path="/dashboard" element={<h1>Dashboard</h1>} />
    </Routes>,
  ).user
}

async function enterCode(user: ReturnType<typeof renderWizard>) {
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await user.type(screen.getByLabelText('Verification code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
}

/** Makes the browser refuse to copy, as it does on a page without permission. */
function refuseCopying() {
  vi.stubGlobal('isSecureContext', true)
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Refused', 'NotAllowedError'))
}

describe('two-factor set-up messages', () => {
  it('setup-failed, and the registration flow is cancelled', async () => {
    renderWizard({ [setUp]: () => failure(500, 'something else') })
    expect(await screen.findByText(messageOf('setup-failed'))).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeVisible()
  })

  it('setup-verification-failed beside the field, setup-verify-toast in a toast', async () => {
    const user = renderWizard({ [verify]: () => failure(400) })
    await enterCode(user)
    expect(await screen.findByText(messageOf('setup-verification-failed'))).toBeVisible()
    expect(await screen.findByText(messageOf('setup-verify-toast'))).toBeVisible()
  })

  it('setup-verified', async () => {
    const user = renderWizard({})
    await enterCode(user)
    expect(await screen.findByText(messageOf('setup-verified'))).toBeVisible()
  })

  it('copy-secret-failed', async () => {
    const user = renderWizard({})
    refuseCopying()
    await user.click(await screen.findByRole('button', { name: 'Copy' }))
    expect(await screen.findByText(messageOf('copy-secret-failed'))).toBeVisible()
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('copy-codes-failed', async () => {
    const user = renderWizard({})
    await enterCode(user)
    refuseCopying()
    await user.click(await screen.findByRole('button', { name: 'Copy codes' }))
    expect(await screen.findByText(messageOf('copy-codes-failed'))).toBeVisible()
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it.each(['setup-', 'copy-'] as const)('are all of the table: %s', (part) => {
    expect(unseenMessages(part)).toEqual([])
  })
})
