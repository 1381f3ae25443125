import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import { RegisterView } from './register-view.tsx'
import { SignInView } from './sign-in-view.tsx'

const noop = () => {}
const screens = {
  'signing in': {
    view: <SignInView onForgot={noop} onRegister={noop} />,
    purpose: 'current-password',
    labels: ['Password'],
  },
  registering: {
    view: <RegisterView onRegistered={noop} onLogin={noop} />,
    purpose: 'new-password',
    labels: [/^Password/, /^Confirm password/],
  },
}

describe('the strength meter', () => {
  it.each([
    ['P@ssw0rd1!', 'Weak'],
    ['Summer2026!', 'Weak'],
    ['Welcome.1', 'Weak'],
    ['Quiet.Hill.42?Rain', 'Strong'],
    ['Passwordless.Ferry.7', 'Strong'],
  ])('calls %s %s', (password, label) => {
    renderAt('/signup', <StrengthMeter password={password} />)
    expect(screen.getByRole('meter')).toHaveAttribute('aria-valuetext', label)
    const warnings = screen.queryAllByText(/^Too common/)
    expect(warnings).toHaveLength(label === 'Weak' ? 1 : 0)
  })
})

/** ASVS 5, 6.2.6 and 6.2.7. */
describe.each(Object.entries(screens))('the password fields of %s', (_, { view, purpose, labels }) => {
  it('hide what is typed, state their purpose to password managers and accept pasted text', async () => {
    fakeServer({})
    const { user } = renderAt('/login', view)
    for (const label of labels) {
      const field = await screen.findByLabelText(label, { selector: 'input' })
      expect(field).toHaveAttribute('type', 'password')
      expect(field).toHaveAttribute('autocomplete', purpose)
      await user.click(field)
      await user.paste('From a manager 7!')
      expect(field).toHaveValue('From a manager 7!')
    }
  })
})
