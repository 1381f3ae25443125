import { expect, test } from 'vitest'
import { z } from 'zod'
import { commonErrors, type EndpointSpec } from './endpoint.ts'

const always = ['rate_limited', 'internal', 'unavailable']
const ofSessions = ['session_missing', 'session_expired', 'forbidden']
const ofGate = ['password_change_required', 'verification_required', 'two_factor_required']

const spec = (rest: Partial<EndpointSpec> = {}): EndpointSpec => ({
  method: 'POST',
  path: '/api/things',
  access: 'public',
  summary: 'Make a thing',
  response: z.object({}),
  errors: ['conflict'],
  ...rest,
})

test.each<[string, Partial<EndpointSpec>, string[]]>([
  ['a call without any input', {}, always],
  ['one with a parameter', { params: z.object({}) }, [...always, 'invalid_input']],
  ['one with a query', { query: z.object({}) }, [...always, 'invalid_input']],
  ['one with a body', { body: z.object({}) }, [...always, 'invalid_input', 'unsupported_encoding', 'request_timeout']],
  ['an upload as a form', { transport: 'multipart' }, [...always, 'request_timeout']],
  ['an upload as bytes', { transport: 'bytes' }, [...always, 'request_timeout']],
  ['a download', { transport: 'file' }, always],
  ['one for signed-in users', { access: 'user' }, [...always, ...ofSessions, ...ofGate, 'library_closed']],
  [
    'one for signed-in users about their account',
    { access: 'user', isOpenWithoutLibrary: true },
    [...always, ...ofSessions, ...ofGate],
  ],
  [
    'one of admins about another account',
    { access: 'admin', path: '/api/auth/admin/users/:id' },
    [...always, ...ofSessions, ...ofGate, 'password_confirmation_required'],
  ],
  [
    'one of admins that reads',
    { access: 'admin', path: '/api/auth/admin/users', method: 'GET' },
    [...always, ...ofSessions, ...ofGate],
  ],
  [
    'one of super admins about signing in',
    { access: 'super_admin', path: '/api/auth/super-admin/sign-in-providers/:id', method: 'PUT' },
    [...always, ...ofSessions, ...ofGate, 'password_confirmation_required'],
  ],
  [
    'one that reads a mail',
    { access: 'super_admin', path: '/api/auth/super-admin/outbox/:id', method: 'GET' },
    [...always, ...ofSessions, ...ofGate, 'password_confirmation_required'],
  ],
  [
    'a test mail',
    { access: 'super_admin', path: '/api/auth/super-admin/test-mail' },
    [...always, ...ofSessions, ...ofGate],
  ],
  ['one for admins', { access: 'admin' }, [...always, ...ofSessions, ...ofGate]],
  [
    'one behind which the gate is open',
    { access: 'user', isOpenBehindGate: true },
    [...always, ...ofSessions, 'library_closed'],
  ],
])('%s can fail for these reasons', (_, rest, codes) => {
  expect(commonErrors(spec(rest))).toEqual(codes)
})
