import { describe, expect, test } from 'vitest'
import { api } from './api.ts'
import type { EndpointSpec } from './endpoint.ts'
import { LoginAttempt, roles, Session, User } from './entities/user.ts'
import { complaints, id, textOf } from './testing/inputs.ts'

// Written out from the accounts specification, sections 3, 5, 7 and 9, so that the contract is not compared with itself.

test.each<[string, string, EndpointSpec, string]>([
  ['POST', '/signup', api.auth.signUp, 'public'],
  ['POST', '/signin', api.auth.signIn, 'public'],
  ['POST', '/signout', api.auth.signOut, 'public'],
  ['POST', '/refresh', api.auth.refresh, 'public'],
  ['POST', '/verify-email', api.auth.verifyEmail, 'public'],
  ['POST', '/resend-verification', api.auth.resendVerification, 'public'],
  ['POST', '/forgot-password', api.auth.forgotPassword, 'public'],
  ['POST', '/verify-reset-code', api.auth.verifyResetCode, 'public'],
  ['POST', '/reset-password', api.auth.resetPassword, 'public'],
  ['GET', '/profile', api.profile.get, 'user'],
  ['PUT', '/profile', api.profile.update, 'user'],
  ['POST', '/change-password', api.profile.changePassword, 'user'],
  ['POST', '/2fa/enable', api.profile.enableTwoFactor, 'user'],
  ['POST', '/2fa/disable', api.profile.disableTwoFactor, 'user'],
  ['POST', '/2fa/verify', api.profile.verifyTwoFactor, 'user'],
  ['GET', '/sessions', api.profile.listSessions, 'user'],
  ['DELETE', '/sessions/:id', api.profile.endSession, 'user'],
  ['DELETE', '/sessions', api.profile.endAllSessions, 'user'],
  ['POST', '/registration/setup-2fa', api.auth.setUpRegistrationTwoFactor, 'public'],
  ['POST', '/registration/verify-2fa', api.auth.verifyRegistrationTwoFactor, 'public'],
  ['GET', '/admin/users', api.admin.listUsers, 'admin'],
  ['GET', '/admin/users/:id', api.admin.getUser, 'admin'],
  ['PUT', '/admin/users/:id/role', api.admin.setRole, 'admin'],
  ['PUT', '/admin/users/:id/status', api.admin.setStatus, 'admin'],
  ['DELETE', '/admin/users/:id/sessions', api.admin.revokeSessions, 'admin'],
  ['DELETE', '/admin/users/:id', api.admin.deleteUser, 'admin'],
  ['GET', '/admin/stats', api.admin.stats, 'admin'],
  ['POST', '/super-admin/create-user', api.superAdmin.createUser, 'super_admin'],
  ['GET', '/super-admin/users', api.superAdmin.listUsers, 'super_admin'],
  ['DELETE', '/super-admin/users/:id', api.superAdmin.deleteUser, 'super_admin'],
  ['POST', '/super-admin/users/:id/reset-password', api.superAdmin.resetPassword, 'super_admin'],
  ['PUT', '/super-admin/users/:id/role', api.superAdmin.setRole, 'super_admin'],
])('%s /api/auth%s is served', (method, path, spec, access) => {
  expect(spec).toMatchObject({ method, path: `/api/auth${path}`, access })
})

test.each<[string, object, string[]]>([
  [
    'a user',
    User.shape,
    [
      'id',
      'first_name',
      'last_name',
      'username',
      'email',
      'role',
      'is_active',
      'is_verified',
      'two_factor_enabled',
      'created_at',
      'last_login',
    ],
  ],
  ['a session', Session.shape, ['id', 'ip_address', 'last_used', 'expires_at']],
  ['an attempt to sign in', LoginAttempt.shape, ['id', 'success', 'failure_reason', 'attempted_at']],
  ['the response of signing up', api.auth.signUp.response.shape, ['message', 'user']],
  ['the response of a refresh', api.auth.refresh.response.shape, ['access_token', 'refresh_token']],
  ['the response of signing out', api.auth.signOut.response.shape, ['message', 'redirect_to']],
  ['a verified address', api.auth.verifyEmail.response.shape, ['requires_2fa_setup', 'user_id', 'user']],
  [
    'the two-factor setup after registration',
    api.auth.setUpRegistrationTwoFactor.response.shape,
    ['qr_code', 'secret', 'backup_codes'],
  ],
  ['the profile', api.profile.get.response.shape, ['user', 'backup_codes_left']],
  [
    'a changed password',
    api.profile.changePassword.response.shape,
    ['access_token', 'refresh_token', 'message', 'user'],
  ],
  ['a confirmed password', api.profile.confirmPassword.response.shape, ['access_token', 'refresh_token', 'message']],
  [
    'the two-factor setup',
    api.profile.enableTwoFactor.response.shape,
    ['backup_codes', 'qr_code', 'secret', 'totp_uri'],
  ],
  ['a verified code', api.profile.verifyTwoFactor.response.shape, ['valid', 'user']],
  ['disabled two-factor', api.profile.disableTwoFactor.response.shape, ['user']],
  ['new backup codes', api.profile.renewBackupCodes.response.shape, ['backup_codes']],
  ['the sessions', api.profile.listSessions.response.shape, ['sessions']],
  ['the users', api.admin.listUsers.response.shape, ['users', 'total', 'page', 'per_page', 'pages']],
  ['the details of a user', api.admin.getUser.response.shape, ['user', 'sessions', 'recent_login_attempts']],
  [
    'the statistics',
    api.admin.stats.response.shape,
    ['total_users', 'active_users', 'verified_users', 'users_with_2fa'],
  ],
])('%s has the fields of the specification', (_, shape, fields) => {
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields))
})

test('the roles are user, admin and super_admin, the weakest first', () => {
  expect(roles).toEqual(['user', 'admin', 'super_admin'])
})

describe('signing in', () => {
  const { body, response } = api.auth.signIn
  const valid = { email: 'nadia@example.org', password: 'secret' }

  test.each([
    [{ ...valid, email: '' }, 'Email is required'],
    [{ ...valid, email: 'nadia' }, 'Please enter a valid email address'],
    [{ ...valid, password: '' }, 'Password is required'],
    [{ ...valid, password: textOf(5) }, 'Password must be at least 6 characters'],
    [{ ...valid, password: textOf(1025) }, 'Password must be no more than 1024 characters long'],
    [{ ...valid, totp_token: textOf(17) }, 'TOTP token is too long'],
  ])('%o is refused', (input, sentence) => {
    expect(complaints(body, input)).toEqual([sentence])
  })

  test('does not remember the user unless asked to', () => {
    expect(body.parse(valid)).toEqual({ ...valid, remember_me: false })
    expect(body.parse({ ...valid, password: textOf(1024), totp_token: ` ${textOf(16)} ` })).toMatchObject({
      totp_token: textOf(16),
    })
  })

  test.each([
    { requires_2fa: true, user_id: id, methods: ['code', 'passkey'] },
    { requires_verification: true, user_id: id, message: 'Please verify your email address' },
  ])('may ask for more: %o', (outcome) => {
    expect(response.parse(outcome)).toEqual(outcome)
  })
})

test('an account is registered with e-mail, username and password, names where they are given', () => {
  const { body } = api.auth.signUp
  expect(body.parse({ email: ' Nadia@Example.org ', username: 'nadia', password: 'x' })).toEqual({
    email: 'nadia@example.org',
    username: 'nadia',
    password: 'x',
    first_name: '',
    last_name: '',
  })
  expect(complaints(body, { email: '', username: '', password: '' })).toEqual([
    'Email is required',
    'Username is required',
    'Password is required',
  ])
})

test.each([
  ['a reset by code', { email: 'a@example.org', code: textOf(16), new_password: 'x' }],
  ['a reset by link', { token: textOf(512), new_password: textOf(1024) }],
])('%s sets a password', (_, input) => {
  expect(api.auth.resetPassword.body.parse(input)).toEqual(input)
})

test.each<[string, EndpointSpec, object, string]>([
  ['a code to reset', api.auth.verifyResetCode, { email: 'a@example.org', code: textOf(17) }, 'Code is too long'],
  ['a link', api.auth.verifyEmail, { token: textOf(513) }, 'Token is too long'],
  ['an empty link', api.auth.verifyEmail, { token: '' }, 'Token is too short'],
  ['a refresh token', api.auth.refresh, { refresh_token: textOf(513) }, 'Refresh token is too long'],
  ['a session to end', api.auth.signOut, { refresh_token: '' }, 'Refresh token is too short'],
  [
    'a code at registration',
    api.auth.verifyRegistrationTwoFactor,
    { user_id: id, totp_token: textOf(17) },
    'TOTP token is too long',
  ],
  ['an unknown user', api.auth.setUpRegistrationTwoFactor, { user_id: '1' }, 'Not a valid id'],
  ['an address to reset', api.auth.forgotPassword, { email: '' }, 'Email is required'],
  [
    'a password of too many characters',
    api.auth.resetPassword,
    { token: 'a', new_password: textOf(1025) },
    'Password must be no more than 1024 characters long',
  ],
])('%s is refused', (_, { body }, input, sentence) => {
  expect(body && complaints(body, input)).toEqual([sentence])
})

test('signing out and asking for another link work without a body', () => {
  expect(api.auth.signOut.body.parse({})).toEqual({})
  expect(api.auth.signOut.body.parse({ refresh_token: null })).toEqual({ refresh_token: null })
  expect(api.auth.resendVerification.body.parse(undefined)).toEqual({})
})
