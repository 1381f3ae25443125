import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { captureDownloads } from '../../testing/downloads.ts'
import { renderAt } from '../../testing/render.tsx'
import { TwoFactorWizard } from './two-factor-wizard.tsx'

const secret = 'JBSWY3DPEHPK3PXP'
const setup = { qr_code: 'data:image/png;base64,AA==', secret, backup_codes: ['ABCD1234', 'EFGH5678'] }

// Browsers allow copying only in secure contexts.
beforeEach(() => void vi.stubGlobal('isSecureContext', true))
afterEach(() => vi.useRealTimers())

function renderWizard(variant: 'registration' | 'signed_in' = 'signed_in') {
  const actions = {
    begin: vi.fn<(choice?: SecondFactorChoice) => Promise<typeof setup>>(() => Promise.resolve(setup)),
    verify: vi.fn<(code: string) => Promise<unknown>>(() => Promise.resolve()),
    onComplete: vi.fn<() => void>(),
    onCancel: vi.fn<() => void>(),
  }
  const { user } = renderAt('/', <TwoFactorWizard variant={variant} {...actions} />)
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
  async function toCodes() {
    await press('Continue')
    fireEvent.change(screen.getByLabelText('Verification code'), { target: { value: '123456' } })
    await press('Verify')
    return await screen.findByRole('list', { name: 'Backup codes' })
  }
  return { ...actions, user, press, toCodes }
}

const currentStep = () =>
  screen.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step')?.textContent

describe('the first step', () => {
  it('begins the set-up by itself, and shows the code to scan and the secret to type', async () => {
    const { begin } = renderWizard()
    expect(await screen.findByAltText('QR code of your secret key')).toHaveAttribute('src', setup.qr_code)
    expect(begin).toHaveBeenCalledOnce()
    expect(currentStep()).toBe('Scan')
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
  })

  it('recommends four apps', async () => {
    renderWizard()
    const text = await screen.findByText(/^Scan this code with an authenticator app/)
    for (const app of ['Google Authenticator', 'Microsoft Authenticator', 'Authy', '1Password']) {
      expect(text).toHaveTextContent(app)
    }
  })

  it('copies the secret, and says so for 2 seconds', async () => {
    const { press } = renderWizard()
    await screen.findByRole('button', { name: 'Copy' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await press('Copy')
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    await vi.advanceTimersByTimeAsync(1500)
    expect(screen.getByRole('button', { name: 'Copied' })).toBeVisible()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await screen.findByRole('button', { name: 'Copy' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(secret)
  })
})

describe('the seed of a hardware token', () => {
  const seed = '3132333435363738393031323334353637383930'

  it('replaces the secret, and a code of the token follows', async () => {
    const { press, begin, verify } = renderWizard()
    await press('Enter the seed of a token')
    fireEvent.change(screen.getByLabelText('Seed of your token'), { target: { value: seed } })
    await press('Continue')
    fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: '123456' } })
    expect(begin.mock.calls).toEqual([[], [{ secret: seed }]])
    await press('Verify')
    expect(verify).toHaveBeenCalledWith('123456')
  })

  it('is not sent where it is none', async () => {
    const { press, begin } = renderWizard()
    await press('Enter the seed of a token')
    fireEvent.change(screen.getByLabelText('Seed of your token'), { target: { value: 'secret' } })
    await press('Continue')
    expect(await screen.findByText('Please enter the seed as base32 or hex, 16 to 64 bytes long')).toBeVisible()
    expect(begin).toHaveBeenCalledOnce()
    await press('Back')
    expect(screen.getByAltText('QR code of your secret key')).toBeVisible()
  })

  it('is named beside what else serves without a phone', async () => {
    renderWizard('registration')
    expect(await screen.findByText(/^No phone here\?/)).toHaveTextContent('KeePassXC')
  })
})

describe('a printed list', () => {
  it('shows its codes for printing, and is used once one of them was typed', async () => {
    const print = vi.fn<() => void>()
    vi.stubGlobal('print', print)
    const { press, begin, verify, onComplete } = renderWizard()
    await press('Use a printed list')
    const list = await screen.findByRole('list', { name: 'Printed codes' })
    expect([...list.children].map(({ textContent }) => textContent)).toEqual(setup.backup_codes)
    expect(begin.mock.calls).toEqual([[], [{ kind: 'printed_codes' }]])
    expect(currentStep()).toBe('Print')
    await press('Print')
    expect(print).toHaveBeenCalledOnce()
    await press('Use this list')
    expect(await screen.findByText('Please enter a code from the list')).toBeVisible()
    expect(verify).not.toHaveBeenCalled()
    fireEvent.change(screen.getByLabelText('A code from the list'), { target: { value: ' abcd1234' } })
    await press('Use this list')
    expect(verify).toHaveBeenCalledWith('abcd1234')
    await waitFor(() => expect(onComplete).toHaveBeenCalledOnce())
  })

  it('leads back to a secret of an app, which the server makes anew', async () => {
    const { press, begin } = renderWizard()
    await press('Use a printed list')
    await screen.findByRole('list', { name: 'Printed codes' })
    begin.mockResolvedValue({ ...setup, secret: 'KRSXG5CTMVRXEZLU' })
    await press('Back')
    expect(await screen.findByText('KRSX G5CT MVRX EZLU')).toBeVisible()
    expect(begin.mock.calls).toEqual([[], [{ kind: 'printed_codes' }], []])
    expect(currentStep()).toBe('Scan')
  })

  it('can be left', async () => {
    const { press, onCancel } = renderWizard('registration')
    await press('Use a printed list')
    await screen.findByRole('list', { name: 'Printed codes' })
    await press('Cancel Registration')
    expect(onCancel).toHaveBeenCalledOnce()
  })
})

describe('the second step', () => {
  it('takes exactly six digits, and lets nothing else be sent', async () => {
    const { press, verify } = renderWizard()
    await press('Continue')
    expect(currentStep()).toBe('Verify')
    const field = screen.getByLabelText('Verification code')
    fireEvent.change(field, { target: { value: '12a45' } })
    expect(field).toHaveValue('1245')
    expect(field).toHaveAttribute('maxlength', '6')
    expect(screen.getByRole('button', { name: 'Verify' })).toBeDisabled()
    fireEvent.change(field, { target: { value: '123456' } })
    await press('Verify')
    expect(verify).toHaveBeenCalledWith('123456')
  })

  it('says that six digits are needed where a shorter code is sent by Enter', async () => {
    const { user, press, verify } = renderWizard()
    await press('Continue')
    // The button is disabled so that browsers do not submit the form.
    await user.type(screen.getByLabelText('Verification code'), '123{Enter}')
    expect(await screen.findByText('Please enter a 6-digit verification code')).toBeVisible()
    expect(verify).not.toHaveBeenCalled()
  })

  it('leads back to the same secret', async () => {
    const { press, begin } = renderWizard()
    await press('Continue')
    await press('Back')
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
    expect(begin).toHaveBeenCalledOnce()
  })
})

describe('the third step', () => {
  it('shows the backup codes, copies them by lines and downloads one per line', async () => {
    const { toCodes, press } = renderWizard()
    const list = await toCodes()
    expect(currentStep()).toBe('Backup codes')
    expect([...list.children].map(({ textContent }) => textContent)).toEqual(setup.backup_codes)
    expect(screen.getByText(/Each works once/)).toBeVisible()
    await press('Copy codes')
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('ABCD1234\nEFGH5678')
    const downloads = captureDownloads()
    await press('Download codes')
    expect(downloads).toMatchObject([{ name: expect.stringMatching(/\.txt$/) }])
    expect(await downloads[0]?.content.text()).toBe('ABCD1234\nEFGH5678\n')
  })

  it.each([
    ['signed_in', 'Complete Setup'],
    ['signed_in', 'Skip for Now'],
    ['registration', 'Complete Registration'],
    ['registration', 'Skip for Now'],
  ] as const)('of the variant %s ends by %s, and cannot be cancelled', async (variant, button) => {
    const { toCodes, press, onComplete } = renderWizard(variant)
    await toCodes()
    expect(screen.queryByRole('button', { name: /^Cancel/ })).toBeNull()
    await press(button)
    expect(onComplete).toHaveBeenCalledOnce()
  })
})

it.each([
  ['signed_in', 'Cancel Setup'],
  ['registration', 'Cancel Registration'],
] as const)('the variant %s has %s on the first two steps', async (variant, button) => {
  const { press, onCancel } = renderWizard(variant)
  await press(button)
  await press('Continue')
  await press(button)
  await waitFor(() => expect(onCancel).toHaveBeenCalledTimes(2))
})
