import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints } from '../api.ts'
import type { EndpointSpec } from '../endpoint.ts'
import { errorStatus, type ErrorCode } from '../errors.ts'

// Rules that hold for all endpoints, and lists of the exceptions, written out so that the contract is not compared with itself.

const endpoints = listEndpoints()
const specs: Record<string, EndpointSpec> = Object.fromEntries(endpoints.map(({ name, spec }) => [name, spec]))
const namesWhere = (holds: (spec: EndpointSpec) => boolean) =>
  endpoints.filter(({ spec }) => holds(spec)).map(({ name }) => name)
const answering = (code: ErrorCode) => namesWhere(({ errors }) => errors.includes(code))

test('each endpoint has a method and a path of its own', () => {
  const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  expect(namesWhere(({ method }) => !methods.has(method))).toEqual([])
  expect(namesWhere(({ path }) => !/^(\/(api|(?:[a-z]+z|metrics)$))(\/:?[a-z0-9_.-]+)*$/.test(path))).toEqual([])
  const calls = endpoints.map(({ spec }) => `${spec.method} ${spec.path}`)
  expect(new Set(calls).size).toBe(calls.length)
})

test('each endpoint has one line for the API page, without a full stop', () => {
  expect(namesWhere(({ summary }) => !/^[A-Z].{7,}[^.\s]$/.test(summary))).toEqual([])
})

test('each part of a path with a colon is a parameter', () => {
  for (const { name, spec } of endpoints) {
    const parts = [...spec.path.matchAll(/:([a-z_]+)/g)].map(([, part]) => part)
    const shape = spec.params instanceof z.ZodObject ? spec.params.shape : {}
    expect([name, ...Object.keys(shape)]).toEqual([name, ...parts])
  }
})

test('every identifier in a path is one of the database', () => {
  const withIds = endpoints.filter(({ spec }) => /:(\w+_)?id\b/.test(spec.path))
  expect(withIds.length).toBeGreaterThan(50)
  for (const { spec } of withIds) {
    const parts = [...spec.path.matchAll(/:([a-z_]+)/g)].map(([, part]) => part ?? '')
    const ofEach = (value: string) => Object.fromEntries(parts.map((part) => [part, value]))
    expect(spec.params?.safeParse(ofEach('0123456789abcdef01234567')).success).toBe(true)
    expect(spec.params?.safeParse(ofEach('1')).success).toBe(false)
  }
})

test('only what changes something takes a body', () => {
  expect(namesWhere(({ method, body }) => body !== undefined && ['GET', 'DELETE'].includes(method))).toEqual([])
})

test('only what reads takes a query, and what returns a recording, continues an upload or stops what it names', () => {
  const changing = namesWhere(({ method, query }) => query !== undefined && method !== 'GET')
  expect(changing).toEqual([
    'recovery.stopEmailChange',
    'recordings.correctSpeakers',
    'editing.restoreVersion',
    'models.sendPart',
  ])
})

test('what creates something answers 201, what begins in the background 202', () => {
  expect(namesWhere(({ status }) => status === 201)).toEqual([
    'auth.signUp',
    'superAdmin.createUser',
    'invitations.create',
    'invitations.import',
    'invitations.accept',
    'passkeys.add',
    'signInAdmin.createProvider',
    'keywords.add',
    'audio.upload',
    'uploads.create',
    'uploads.finish',
    'reportTemplates.save',
    'library.saveFilter',
    'batches.create',
    'alerts.addWatchList',
    'cases.create',
    'editing.addNote',
    'integrations.createKey',
    'integrations.createWebhook',
    'models.beginUpload',
  ])
  expect(namesWhere(({ status }) => status === 202)).toEqual(
    'upkeep.startChecks upkeep.startRehearsal models.start'.split(' '),
  )
})

test.each([
  ['multipart', ['audio.upload']],
  ['audio', ['audio.play']],
  ['events', ['jobs.events', 'system.probe']],
  ['bytes', ['sso.backChannelLogout', 'uploads.send', 'models.sendPart']],
  [
    'file',
    [
      ...'admin.usersCsv admin.auditCsv sso.callback recordings.export recordings.clip'.split(' '),
      ...'batches.export holds.keptStates holds.keptStatesOfCase system.metrics'.split(' '),
    ],
  ],
])('%s is not JSON', (transport, names) => {
  expect(namesWhere((spec) => spec.transport === transport)).toEqual(names)
})

test('only work of the models can be answered later', () => {
  expect(namesWhere(({ isLongWork = false }) => isLongWork)).toEqual([
    'audio.transcribe',
    'audio.translate',
    'audio.translateSpeakers',
    'audio.diarize',
  ])
})

test('what is listed in pages says how many there are', () => {
  const paged = namesWhere(({ query }) => query instanceof z.ZodObject && 'page' in query.shape)
  expect(paged).toEqual([
    ...'admin.listUsers admin.listSessions admin.audit superAdmin.listUsers invitations.list'.split(' '),
    ...'recordings.list library.list library.listTrash batches.get cases.list cases.listRecordings'.split(' '),
    ...'activity.ofRecording retention.dryRun'.split(' '),
  ])
  for (const name of paged) {
    const { response } = specs[name] ?? {}
    const fields = response instanceof z.ZodObject ? Object.keys(response.shape) : []
    expect([name, ...fields]).toEqual(expect.arrayContaining([name, 'total', 'page', 'per_page', 'pages']))
  }
})

describe('access', () => {
  test.each([
    ['super_admin', /^\/api\/(auth\/super-admin|admin\/(models|upkeep))\b/],
    ['admin', /^\/api\/(auth\/admin\/|system$|system\/state$)/],
  ])('%s has what is administered', (access, path) => {
    expect(namesWhere((spec) => spec.access === access)).toEqual(namesWhere((spec) => path.test(spec.path)))
  })

  test('nobody signs in before these', () => {
    expect(namesWhere((spec) => spec.access === 'public')).toEqual([
      'auth.signUp',
      'auth.signIn',
      'auth.signOut',
      'auth.refresh',
      'auth.verifyEmail',
      'auth.resendVerification',
      'auth.forgotPassword',
      'auth.verifyResetCode',
      'auth.resetPassword',
      'auth.stopEmailChange',
      'auth.setUpRegistrationTwoFactor',
      'auth.verifyRegistrationTwoFactor',
      'invitations.check',
      'invitations.accept',
      'passkeys.beginSignIn',
      'passkeys.signIn',
      'sso.start',
      'sso.callback',
      'sso.backChannelLogout',
      'sso.directorySignIn',
      'sso.finish',
      'system.config',
      'system.languages',
      'system.document',
      'system.probe',
      'system.metrics',
      'system.health',
      'system.ready',
    ])
  })

  test('everything else is for users', () => {
    expect(namesWhere((spec) => !['public', 'user', 'admin', 'super_admin'].includes(spec.access))).toEqual([])
  })

  test('of what a user has to do first, nothing waits for the gate', () => {
    expect(namesWhere(({ isOpenBehindGate = false }) => isOpenBehindGate)).toEqual([
      'profile.get',
      'profile.changePassword',
      'profile.confirmPassword',
      'profile.stopEmailChange',
      'profile.enableTwoFactor',
      'profile.verifyTwoFactor',
      'profile.listSessions',
      'profile.endSession',
      'profile.endAllSessions',
      'passkeys.list',
      'passkeys.begin',
      'passkeys.add',
    ])
  })
})

describe('errors', () => {
  test('are known, and each is named once', () => {
    for (const { name, spec } of endpoints) {
      const unknown = spec.errors.filter((code) => !Object.hasOwn(errorStatus, code))
      expect([name, ...unknown]).toEqual([name])
      expect(new Set(spec.errors).size).toBe(spec.errors.length)
    }
  })

  test('name what is missing where a path names a thing', () => {
    const without = namesWhere(({ path, errors }) => path.includes(':') && !errors.includes('not_found'))
    expect(without).toEqual(['sso.callback', 'keywords.add', 'keywords.clearCategory', 'system.document'])
  })

  test('of a confirmation that depends on who asks come where admins manage cases of others', () => {
    expect(namesWhere(({ mayNeedConfirmation }) => mayNeedConfirmation === true)).toEqual([
      'cases.remove',
      'cases.setMember',
      'cases.removeMember',
      'cases.removeRecording',
      'holds.lift',
      'holds.liftOfCase',
    ])
  })

  test.each<[ErrorCode, string[]]>([
    [
      'password_confirmation_required',
      [
        'profile.enableTwoFactor',
        'profile.renewBackupCodes',
        'profile.endSession',
        'profile.endAllSessions',
        'passkeys.begin',
        'passkeys.remove',
        'integrations.createKey',
      ],
    ],
    [
      'registration_closed',
      'auth.signUp invitations.create invitations.resend invitations.previewImport invitations.import invitations.accept'.split(
        ' ',
      ),
    ],
    [
      'email_taken',
      [
        'auth.signUp',
        'admin.updateUser',
        'superAdmin.createUser',
        'recovery.applyEmailChange',
        'invitations.create',
        'invitations.accept',
      ],
    ],
    [
      'username_taken',
      ['auth.signUp', 'profile.update', 'admin.updateUser', 'superAdmin.createUser', 'invitations.accept'],
    ],
    ['sign_in_failed', ['auth.signIn', 'passkeys.signIn', 'sso.directorySignIn']],
    ['account_deactivated', ['auth.signIn', 'passkeys.signIn', 'sso.directorySignIn', 'sso.finish']],
    ['password_expired', ['auth.signIn', 'passkeys.signIn']],
    ['session_expired', ['auth.refresh']],
    [
      'two_factor_enabled',
      ['auth.setUpRegistrationTwoFactor', 'auth.verifyRegistrationTwoFactor', 'profile.enableTwoFactor'],
    ],
    [
      'wrong_code',
      [
        'auth.verifyResetCode',
        'auth.resetPassword',
        'auth.stopEmailChange',
        'auth.verifyRegistrationTwoFactor',
        'profile.confirmPassword',
        'profile.openLibrary',
        'profile.verifyTwoFactor',
        'profile.disableTwoFactor',
        'profile.renewBackupCodes',
        'profile.endSession',
        'profile.endAllSessions',
        'passkeys.openLibrary',
        'sso.finish',
        'integrations.createKey',
      ],
    ],
    ['wrong_password', ['profile.changePassword', 'profile.confirmPassword', 'profile.openLibrary', 'sso.finish']],
    ['invitation_invalid', ['invitations.check', 'invitations.accept']],
    ['registration_proof_missing', ['auth.setUpRegistrationTwoFactor', 'auth.verifyRegistrationTwoFactor']],
    [
      'disk_full',
      'audio.upload audio.translate audio.translateSpeakers uploads.create uploads.send models.beginUpload models.sendPart'.split(
        ' ',
      ),
    ],
    ['mail_failed', ['superAdmin.sendMail', 'superAdmin.testMail']],
    ['too_many_streams', ['jobs.events']],
  ])('%s comes where it can happen', (code, names) => {
    expect(answering(code)).toEqual(names)
  })

  test('say that an upload is too large, or nothing that can be played', () => {
    expect(specs['audio.upload']?.errors).toEqual([
      'upload_too_large',
      'unsupported_audio',
      'unreadable_audio',
      'no_audio',
      'disk_full',
    ])
  })
})
