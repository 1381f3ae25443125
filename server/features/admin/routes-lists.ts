import { api } from '#contract/api.ts'
import type { Clock } from '#data/clock.ts'
import type { AppRouter } from '#server/http/context.ts'
import { streamRows } from '#server/http/csv-stream.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { csvRow } from '#server/http/csv.ts'
import type { Audit } from '../audit/service.ts'
import { presentSession } from '../sessions/present.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'
import type { AllSessions } from './all-sessions.ts'
import type { BulkUsers } from './bulk.ts'
import type { ReadOverview } from './overview.ts'
import { toUserQuery, type UserFilterValues } from './user-query.ts'

const columns = [
  'email',
  'username',
  'first_name',
  'last_name',
  'role',
  'state',
  'verified',
  'two_factor',
  'passkey',
  'created_at',
  'last_login',
]

/** Yields users as CSV (RFC 4180), beginning with the column names. */
async function* usersAsCsv(users: AsyncIterable<UserRecord>): AsyncGenerator<string> {
  yield csvRow(columns)
  for await (const user of users) yield csvRow(cellsOf(user))
}

function cellsOf(record: UserRecord): string[] {
  const user = presentUser(record)
  return [
    user.email,
    user.username,
    user.first_name,
    user.last_name,
    user.role,
    user.is_active ? 'active' : 'inactive',
    yesOrNo(user.is_verified),
    yesOrNo(user.two_factor_enabled),
    yesOrNo(user.has_passkey),
    user.created_at,
    user.last_login ?? '',
  ]
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

interface AdminListsDeps {
  users: Pick<Users, 'list' | 'stream' | 'stats'>
  audit: Pick<Audit, 'record'>
  bulkUsers: BulkUsers
  allSessions: AllSessions
  readOverview: ReadOverview
  clock: Clock
}

/** Mounts the endpoints that concern many users at once. */
export function mountAdminLists(router: AppRouter, deps: AdminListsDeps): void {
  const { users, audit, bulkUsers, allSessions, readOverview, clock } = deps

  route(router, api.admin.stats, async () => users.stats())

  route(router, api.admin.overview, async ({ user }) => readOverview(user))

  route(router, api.admin.listUsers, async ({ query }) => {
    const { total, rows } = await users.list(toUserQuery(query, clock), query)
    return { users: rows.map((user) => presentUser(user)), ...presentPage(query, total) }
  })

  route(router, api.admin.usersCsv, async ({ query, user, origin, takeTurn, signal, ctx }) => {
    const entry = { action: 'admin.export_users', outcome: 'success' as const, actor: user }
    await audit.record({ ...entry, details: describe(query) }, origin)
    ctx.attachment('awaz-users.csv')
    ctx.body = streamRows(usersAsCsv(users.stream(toUserQuery(query, clock), query)), { takeTurn, signal })
  })

  route(router, api.admin.bulkUsers, async ({ body, ...context }) => bulkUsers(context, body.action, body.ids))

  route(router, api.admin.listSessions, async ({ query, session: current }) => {
    const { total, rows } = await allSessions.list(query)
    const sessions = rows.map(({ session, owner }) => ({
      ...presentSession(session, current.id),
      user: presentUser(owner),
    }))
    return { sessions, ...presentPage(query, total) }
  })

  route(router, api.admin.endSession, async ({ params, ...context }) => {
    await allSessions.end(context, params.id)
    return { message: 'Session ended' }
  })
}

/** Describes the filters that narrow a list, for the audit trail. */
function describe({ search, state, role, inactive_days: days }: UserFilterValues): string {
  const filters = { search, state, role: role === 'all' ? '' : role, inactive_days: days > 0 ? String(days) : '' }
  const set = Object.entries(filters).filter(([, value]) => value !== '')
  return set.length > 0 ? set.map(([name, value]) => `${name} ${value}`).join(', ') : 'all'
}
