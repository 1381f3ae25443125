import { expect, test } from 'vitest'
import { Username } from '#contract/names.ts'
import { findFreeUsername, usernameFromEmail } from './username-from-email.ts'

test.each([
  ['nadia@example.org', 'nadia'],
  ['a.b+c@example.org', 'a.b.c'],
  ['-.it--help_@example.org', 'it.help'],
  ["o'neill@example.org", 'o.neill'],
  ['+++@example.org', 'user'],
  ['паypal@example.org', 'user'],
  [`${'long'.repeat(20)}@example.org`, 'long'.repeat(13).slice(0, 50)],
])('%s becomes the valid username %s', (email, username) => {
  expect(usernameFromEmail(email)).toBe(username)
  expect(Username.safeParse(username).success).toBe(true)
})

test('appends a number where the name is taken', async () => {
  const taken = ['nadia', 'nadia.2']
  const users = { isUsernameFree: async (name: string) => !taken.includes(name) }
  expect(await findFreeUsername(users, 'nadia@example.org')).toBe('nadia.3')
})
