import { expect, test } from 'vitest'
import { complaints, textOf } from '../testing/inputs.ts'
import { profile } from './profile.ts'

const { update, changeNotifications, changePassword, confirmPassword, verifyTwoFactor } = profile

test('a profile changes only in what is sent, and takes the names that it has', () => {
  expect(update.body.parse({})).toEqual({})
  const names = { first_name: textOf(200), last_name: '', username: textOf(200), email: 'nadia@example.org' }
  expect(update.body.parse(names)).toEqual(names)
})

test.each([
  [{ first_name: textOf(201) }, 'First name is too long'],
  [{ last_name: textOf(201) }, 'Last name is too long'],
  [{ username: textOf(201) }, 'Username is too long'],
  [{ email: 'nadia' }, 'Please enter a valid email address'],
])('a profile with %o is refused', (change, sentence) => {
  expect(complaints(update.body, change)).toEqual([sentence])
})

test('both kinds of mail are chosen together', () => {
  const choice = { email: false, security_alerts: true }
  expect(changeNotifications.body.parse(choice)).toEqual(choice)
  expect(changeNotifications.response.parse(choice)).toEqual(choice)
  expect(complaints(changeNotifications.body, { email: true })).toEqual(['Security alerts is required'])
})

test('a changed password has up to 1,024 characters, both times', () => {
  const body = { current_password: '', new_password: textOf(1024) }
  expect(changePassword.body.parse(body)).toEqual(body)
  expect(complaints(changePassword.body, { current_password: textOf(1025), new_password: textOf(1025) })).toEqual([
    'Current password is too long',
    'New password is too long',
  ])
})

test.each([
  [{ password: '' }, ['Password is required']],
  [{ password: 'x' }, []],
  [{ password: textOf(1025) }, ['Password is too long']],
])('a password to confirm: %o', (body, sentences) => {
  expect(complaints(confirmPassword.body, body)).toEqual(sentences)
})

test('a code is trimmed, and has up to 16 characters', () => {
  expect(verifyTwoFactor.body.parse({ token: ` ${textOf(16)} ` })).toEqual({ token: textOf(16) })
  expect(complaints(verifyTwoFactor.body, { token: textOf(17) })).toEqual(['Token is too long'])
})
