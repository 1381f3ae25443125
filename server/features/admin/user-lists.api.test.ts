import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import type { UserSort } from '#contract/user-list.ts'
import { toObjectId } from '#data/ids.ts'
import { storeSortNames } from '#data/migrations/store-sort-names.ts'
import { userModel } from '#data/users/user-model.ts'
import { enableTwoFactor } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const dayMs = 24 * 60 * 60_000
const domain = 'sorted.example'

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  superAdmin = await server.createSignedIn({ role: 'super_admin', email: 'root@admins.example' })
  admin = await server.createSignedIn({ role: 'admin', email: 'admin@admins.example' })
  await create('b', { firstName: 'émile', role: 'admin', lastLoginDaysAgo: 1 })
  await create('d', { firstName: 'Zoe', lastLoginDaysAgo: 100 })
  await create('a', { firstName: 'Eva', isActive: false, lastLoginDaysAgo: 40 })
  await create('c', { firstName: '', role: 'super_admin', isVerified: false })
  await create('e', { firstName: 'farid', createdDaysAgo: 200 })
})
afterAll(() => server.close())

interface Person {
  firstName: string
  role?: 'user' | 'admin' | 'super_admin'
  isActive?: boolean
  isVerified?: boolean
  lastLoginDaysAgo?: number
  createdDaysAgo?: number
}

/** Creates a user whose username and address begin with `letter`. Without a first name, the username serves as the name. */
async function create(letter: string, { firstName, lastLoginDaysAgo, createdDaysAgo = 0, ...options }: Person) {
  server.clock.advance(1000)
  const email = `${letter}@${domain}`
  const user = await server.createUser({ ...options, email, username: `${letter}.person` })
  const { users } = server.services
  await users.rename(user.id, { firstName, lastName: '' })
  await users.update(user.id, {
    ...(lastLoginDaysAgo !== undefined && { lastLoginAt: daysAgo(lastLoginDaysAgo) }),
    ...(createdDaysAgo > 0 && { createdAt: daysAgo(createdDaysAgo) }),
  })
  return user
}

function daysAgo(days: number): Date {
  return new Date(server.clock.now() - days * dayMs)
}

/** Returns the first letters of the users in the order of the list, and how many match. */
async function letters(query: QueryInput<typeof api.admin.listUsers>): Promise<string> {
  const input = { query: { search: domain, ...query }, token: admin.accessToken }
  const { users, total } = (await server.call(api.admin.listUsers, input)).data
  expect(total).toBe(users.length)
  return users.map(({ email }) => email[0]).join('')
}

describe('lists of users', () => {
  test.each<[UserSort, string]>([
    ['created_at', 'ebdac'],
    ['name', 'cbaed'],
    ['email', 'abcde'],
    ['role', 'bcdae'],
    ['last_login', 'cedab'],
  ])('are sorted by %s, in both directions', async (sort, ascending) => {
    expect(await letters({ sort, order: 'asc' })).toBe(ascending)
    expect(await letters({ sort, order: 'desc' })).toBe([...ascending].toReversed().join(''))
  })

  test('are narrowed by role', async () => {
    expect(await letters({ role: 'user' })).toBe('ade')
    expect(await letters({ role: 'super_admin' })).toBe('c')
    expect(await letters({ role: 'all' })).toBe('cadbe')
  })

  test('are narrowed to those who have not signed in for some days, or never, and are older than that', async () => {
    expect(await letters({ inactive_days: 30 })).toBe('ade')
    expect(await letters({ inactive_days: 90 })).toBe('de')
    expect(await letters({ inactive_days: 365 })).toBe('')
  })

  test('combine search, state, role and days', async () => {
    expect(await letters({ state: 'active', inactive_days: 30, role: 'user', sort: 'name' })).toBe('de')
    expect(await letters({ state: 'inactive', inactive_days: 30 })).toBe('a')
    expect(await letters({ search: 'FARID', inactive_days: 90 })).toBe('e')
    expect(await letters({ search: 'FARID', state: 'unverified' })).toBe('')
  })

  test('find first and last name together', async () => {
    const { id } = await server.createUser({ email: 'w@names.example' })
    await server.services.users.rename(id, { firstName: 'Zarghuna', lastName: 'Ana' })
    expect(await letters({ search: 'zarghuna a' })).toBe('w')
  })

  test('tell an authenticator app and a passkey from no second factor', async () => {
    const search = 'factors.example'
    const app = await server.createSignedIn({ email: `app@${search}` })
    await enableTwoFactor(server, app.accessToken)
    const passkey = await server.createUser({ email: `passkey@${search}` })
    await server.services.users.update(passkey.id, { hasPasskey: true })
    const removed = await server.createUser({ email: `removed@${search}` })
    await server.services.users.update(removed.id, { hasPasskey: false })
    await server.createUser({ email: `neither@${search}` })
    expect(await letters({ search, state: 'with_2fa', sort: 'email', order: 'asc' })).toBe('ap')
    expect(await letters({ search, state: 'without_2fa', sort: 'email', order: 'asc' })).toBe('nr')
    expect(await letters({ search: '', state: 'with_2fa', sort: 'email', order: 'asc' })).toBe('ap')
    const { total_users: all, users_with_2fa: withFactor } = (
      await server.call(api.admin.stats, { token: admin.accessToken })
    ).data
    const without = await server.call(api.admin.listUsers, {
      query: { state: 'without_2fa' },
      token: admin.accessToken,
    })
    expect(without.data.total).toBe(all - withFactor)
  })

  test('show each user on one page alone where many have the same value', async () => {
    const search = 'pages.example'
    for (let n = 0; n < 7; n += 1) await server.createUser({ email: `p${n}@${search}` })
    const ids: string[] = []
    for (const page of [1, 2, 3]) {
      const query = { search, sort: 'role' as const, order: 'asc' as const, page, per_page: 3 }
      const { data } = await server.call(api.admin.listUsers, { query, token: admin.accessToken })
      expect(data).toMatchObject({ total: 7, page, per_page: 3, pages: 3 })
      ids.push(...data.users.map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(7)
  })

  test('are the same for super admins, who may leave themselves out', async () => {
    const token = superAdmin.accessToken
    const list = async (query: QueryInput<typeof api.superAdmin.listUsers>) =>
      (await server.call(api.superAdmin.listUsers, { query: { per_page: 100, ...query }, token })).data
    const sorted = await list({ search: domain, sort: 'name', order: 'asc', state: 'verified', inactive_days: 30 })
    expect(sorted.users.map(({ email }) => email[0]).join('')).toBe('aed')
    const [all, others] = [await list({}), await list({ exclude_self: 'true' })]
    expect(others.total).toBe(all.total - 1)
    expect(others.users.map(({ id }) => id)).toEqual(all.users.map(({ id }) => id).filter((id) => id !== superAdmin.id))
    expect((await list({ exclude_self: 'true', search: domain })).total).toBe(5)
  })

  test('reject what is no column and no number of days', async () => {
    for (const query of [{ sort: 'passwordHash' }, { order: 'down' }, { inactive_days: -1 }, { state: 'asleep' }]) {
      const input = { query: query as never, token: admin.accessToken } // the contract forbids it
      expect((await server.call(api.admin.listUsers, input)).error.code).toBe('invalid_input')
      expect((await server.call(api.admin.usersCsv, input)).error.code).toBe('invalid_input')
    }
  })

  test('have a place for accounts of earlier versions, and follow a change of name', async () => {
    const { connection } = server.services.database
    const [first, second] = [
      await server.createUser({ email: 'f@earlier.example' }),
      await server.createUser({ email: 's@earlier.example' }),
    ]
    await server.services.users.rename(first.id, { firstName: 'Wajiha' })
    await server.services.users.rename(second.id, { firstName: 'Babrak' })
    const query = { search: 'earlier.example', sort: 'name', order: 'asc' } as const
    expect(await letters(query)).toBe('sf')
    const ids = [first.id, second.id].map(toObjectId)
    await userModel(connection).updateMany({ _id: { $in: ids } }, { $unset: { sortName: 1 } })
    await storeSortNames.migrate(connection, ids)
    expect(await letters(query)).toBe('sf')
    await server.services.users.rename(first.id, { firstName: 'Adela' })
    expect(await letters(query)).toBe('fs')
  })
})

describe('the export of users', () => {
  const exportCsv = async (query: QueryInput<typeof api.admin.usersCsv>) => {
    const answer = await server.call(api.admin.usersCsv, { query, token: admin.accessToken })
    return { answer, lines: String(answer.raw).trimEnd().split('\r\n') }
  }

  test('has the users of the list with the same filters, in the same order', async () => {
    const { answer, lines } = await exportCsv({ search: domain, role: 'user', sort: 'name', order: 'asc' })
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('Content-Disposition')).toContain('awaz-users.csv')
    expect(lines[0]).toBe(
      'email,username,first_name,last_name,role,state,verified,two_factor,passkey,created_at,last_login',
    )
    expect(lines.slice(1).map((line) => line[0])).toEqual(['a', 'e', 'd'])
    expect(lines[1]).toMatch(/^a@sorted\.example,a\.person,Eva,,user,inactive,yes,no,no,\d{4}-.+Z,\d{4}-.+Z$/)
    expect(lines[2]).toMatch(/,$/)
  })

  test('holds no cell that a spreadsheet would run as a formula', async () => {
    const { id } = await server.createUser({ email: 'formula@csv.example' })
    await server.services.users.rename(id, { firstName: '=HYPERLINK("http://x","y")', lastName: '+1' })
    const { lines } = await exportCsv({ search: 'csv.example' })
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"",""y"")",'+1,user`)
  })

  test('has more users than a page of the list, and is audited with its filters', async () => {
    for (let n = 0; n < 101; n += 1) {
      await server.services.users.create({
        email: `many${n}@export.example`,
        username: `many${n}`,
        password: 'Harvest-moon7',
        firstName: '',
        lastName: '',
        role: 'user',
        isActive: true,
        isVerified: true,
      })
    }
    const { lines } = await exportCsv({ search: 'export.example', state: 'active', inactive_days: 0 })
    expect(lines).toHaveLength(102)
    await exportCsv({})
    const query = { action: 'admin.export_users' }
    const { events } = (await server.call(api.admin.audit, { query, token: admin.accessToken })).data
    expect(events.slice(0, 2)).toMatchObject([
      { actor: admin.email, outcome: 'success', details: 'all' },
      { actor: admin.email, outcome: 'success', details: 'search export.example, state active' },
    ])
  })

  test('holds no hash and no secret', async () => {
    const user = await server.createSignedIn({ email: 'secret@csv2.example' })
    const { secret } = await enableTwoFactor(server, user.accessToken)
    const { lines } = await exportCsv({ search: 'csv2.example' })
    const stored = await server.services.users.findById(user.id)
    for (const hidden of [secret, stored?.passwordHash ?? '', stored?.twoFactor?.secret ?? ''])
      expect(lines.join()).not.toContain(hidden)
    expect(lines[1]).toContain(',active,yes,yes,no,')
  })
})
