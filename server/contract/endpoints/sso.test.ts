import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { signInAdmin, sso, SsoResult } from './sso.ts'

test('signing in through a provider does not remember the user unless asked to', () => {
  expect(sso.start.body.parse(undefined)).toEqual({ remember_me: false })
  expect(sso.start.body.parse({})).toEqual({ remember_me: false })
  expect(sso.start.body.parse({ remember_me: true })).toEqual({ remember_me: true })
  expect(sso.start.response.parse({ redirect_to: 'https://login.example.org' })).toEqual({
    redirect_to: 'https://login.example.org',
  })
})

describe('signing in through a directory', () => {
  const { body } = sso.directorySignIn

  test('takes a name and a password', () => {
    expect(body.parse({ username: ' nadia ', password: ' x ' })).toEqual({
      username: 'nadia',
      password: ' x ',
      remember_me: false,
    })
    expect(complaints(body, { username: textOf(254), password: textOf(1024) })).toEqual([])
  })

  test.each([
    [{ username: ' ', password: '' }, ['Username is required', 'Password is required']],
    [{ username: textOf(255), password: 'x' }, ['Username is too long']],
    [{ username: 'nadia', password: textOf(1025) }, ['Password is too long']],
  ])('%#', (input, sentences) => {
    expect(complaints(body, input)).toEqual(sentences)
  })
})

describe('a ticket', () => {
  const { body } = sso.finish

  test('is exchanged with the code or the password that was asked for', () => {
    const full = { ticket: textOf(512), totp_token: textOf(16), password: textOf(1024) }
    expect(body.parse({ ...full, totp_token: ` ${textOf(16)} ` })).toEqual(full)
    expect(body.parse({ ticket: 't' })).toEqual({ ticket: 't' })
  })

  test.each([
    [{ ticket: '' }, 'Ticket is too short'],
    [{ ticket: textOf(513) }, 'Ticket is too long'],
    [{ ticket: 't', totp_token: textOf(17) }, 'TOTP token is too long'],
    [{ ticket: 't', password: textOf(1025) }, 'Password is too long'],
  ])('%# is refused', (input, sentence) => {
    expect(complaints(body, input)).toEqual([sentence])
  })

  test.each([
    { requires_2fa: true, user_id: id, ticket: 't', methods: ['code', 'passkey'] },
    { requires_link: true, ticket: 't', email: 'a@example.org', provider_name: 'Work', requires_code: false },
  ])('may be asked for: %o', (outcome) => {
    expect(SsoResult.parse(outcome)).toEqual(outcome)
    expect(SsoResult.safeParse({ ...outcome, ticket: '' }).success).toBe(false)
  })

  test('is asked for because of one reason only', () => {
    expect(SsoResult.safeParse({ requires_2fa: false, user_id: id, ticket: 't', methods: [] }).success).toBe(false)
    expect(SsoResult.safeParse({ requires_link: false, ticket: 't' }).success).toBe(false)
  })
})

describe('what super admins decide about signing in', () => {
  const settings = {
    registration: 'domains',
    registration_domains: ['example.org'],
    two_factor_policy: 'administrators',
    two_factor_grace_days: 0,
    session_idle_hours: 1,
    session_hours: 720,
    remembered_idle_days: 1,
    remembered_days: 365,
  }

  test('is returned with what the environment decides', () => {
    const answer = { settings, fixed: ['registration', 'session_hours'] }
    expect(signInAdmin.getSettings.response.parse(answer)).toEqual(answer)
    expect(signInAdmin.changeSettings.response.parse(answer)).toEqual(answer)
    expect(signInAdmin.getSettings.response.safeParse({ settings, fixed: ['max_upload'] }).success).toBe(false)
  })

  test('changes in what is sent', () => {
    const { body } = signInAdmin.changeSettings
    expect(body.parse({})).toEqual({})
    expect(body.parse(settings)).toEqual(settings)
    expect(body.parse({ registration_domains: [' Example.ORG '] })).toEqual({ registration_domains: ['example.org'] })
  })

  test.each([
    [{ registration: 'any' }, 'Registration is not valid'],
    [{ registration_domains: ['localhost'] }, 'Please enter domains such as example.org'],
    [{ registration_domains: many(101, 'a.org') }, 'Registration domains is too long'],
    [{ two_factor_policy: 'guests' }, 'Two factor policy is not valid'],
    [{ two_factor_grace_days: -1 }, 'Two factor grace days is too small'],
    [{ two_factor_grace_days: 366 }, 'Two factor grace days is too large'],
    ...['session_idle_hours', 'session_hours', 'remembered_idle_days', 'remembered_days'].flatMap(
      (name): [object, string][] => {
        const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
        return [
          [{ [name]: 0 }, `${label} is too small`],
          [{ [name]: name.endsWith('days') ? 366 : 721 }, `${label} is too large`],
        ]
      },
    ),
  ])('refuses %o', (change, sentence) => {
    expect(complaints(signInAdmin.changeSettings.body, change)).toEqual([sentence])
  })
})

describe('trying a provider', () => {
  const { body, response } = signInAdmin.testProvider

  test('names a person or nobody', () => {
    expect(body.parse(undefined)).toEqual({ username: '' })
    expect(body.parse({})).toEqual({ username: '' })
    expect(body.parse({ username: ` ${textOf(254)} ` })).toEqual({ username: textOf(254) })
    expect(complaints(body, { username: textOf(255) })).toEqual(['Username is too long'])
  })

  test('says whether it works, and what was found', () => {
    const outcome = { is_working: false, details: ['The directory did not answer'] }
    expect(response.parse(outcome)).toEqual(outcome)
  })
})
