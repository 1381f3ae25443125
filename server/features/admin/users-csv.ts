import type { UserRecord } from '#data/users/user-record.ts'
import { csvRow } from '#server/http/csv.ts'
import { presentUser } from '../users/present.ts'

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

/** Yields users as CSV (RFC 4180), the names of the columns first. */
export async function* usersAsCsv(users: AsyncIterable<UserRecord>): AsyncGenerator<string> {
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
