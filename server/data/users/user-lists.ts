import type { Connection, QueryFilter } from 'mongoose'
import type { UserState } from '#contract/user-list.ts'
import type { Role } from '#contract/entities/user.ts'
import { toObjectId } from '../ids.ts'
import { literalPattern } from '../model.ts'
import { userModel, type UserDocument } from './user-model.ts'
import { toUserRecord, type UserRecord } from './user-record.ts'

export interface UserQuery {
  search: string
  role?: Role | undefined
  state?: UserState | undefined
  exceptId?: string | undefined
}

const stateFilters: Record<Exclude<UserState, ''>, QueryFilter<UserDocument>> = {
  active: { isActive: true },
  inactive: { isActive: false },
  verified: { isVerified: true },
  unverified: { isVerified: false },
  with_2fa: { 'twoFactor.backupSalt': { $gt: '' } },
  without_2fa: { twoFactor: null },
}

/** Pages and counts of users. */
export function createUserLists(connection: Connection) {
  const users = userModel(connection)

  /** Returns a page of the users that match, newest first, and how many match in all. */
  async function list(
    query: UserQuery,
    { page, per_page: perPage }: { page: number; per_page: number },
  ): Promise<{ total: number; rows: UserRecord[] }> {
    const filter = toFilter(query)
    const [total, rows] = await Promise.all([
      users.countDocuments(filter),
      users
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<UserDocument[]>(),
    ])
    return { total, rows: rows.map(toUserRecord) }
  }

  async function count() {
    const [total, active, verified, withTwoFactor] = await Promise.all([
      users.countDocuments({}),
      users.countDocuments({ isActive: true }),
      users.countDocuments({ isVerified: true }),
      users.countDocuments({ 'twoFactor.backupSalt': { $gt: '' } }),
    ])
    return { total, active, verified, withTwoFactor }
  }

  return { list, count }
}

export type UserLists = ReturnType<typeof createUserLists>

function toFilter({ search, role, state, exceptId }: UserQuery): QueryFilter<UserDocument> {
  const filter: QueryFilter<UserDocument> = state ? { ...stateFilters[state] } : {}
  if (role) filter.role = { $eq: role }
  if (exceptId) filter._id = { $ne: toObjectId(exceptId) }
  if (search) {
    const pattern = literalPattern(search)
    filter.$or = [{ email: pattern }, { username: pattern }, { firstName: pattern }, { lastName: pattern }]
  }
  return filter
}
