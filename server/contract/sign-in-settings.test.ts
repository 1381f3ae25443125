import { expect, test } from 'vitest'
import { defaultSignInSettings, SignInSettings, signInSettingNames } from './sign-in-settings.ts'

test('unless a super admin decides otherwise, everybody registers, has a week for the second factor, and sessions end in a day or a month', () => {
  expect(SignInSettings.parse(defaultSignInSettings)).toEqual({
    registration: 'open',
    registration_domains: [],
    two_factor_policy: 'everybody',
    two_factor_grace_days: 7,
    session_idle_hours: 8,
    session_hours: 24,
    remembered_idle_days: 14,
    remembered_days: 30,
  })
})

test('each setting can be fixed by the environment', () => {
  expect(signInSettingNames).toEqual(Object.keys(defaultSignInSettings))
})
