import { Types, type Connection, type QueryFilter } from 'mongoose'
import type { UserState } from '#contract/endpoints/admin.ts'
import type { Role } from '#contract/entities/user.ts'
import { userModel, type UserDoc } from '#data/users/user-model.ts'
import { literalPattern } from '#data/model.ts'

export interface UserQuery {
  search: string
  role?: Role | undefined
  state?: UserState | undefined
  exceptId?: string | undefined
}

const stateFilters: Record<Exclude<UserState, ''>, QueryFilter<UserDoc>> = {
  active: { isActive: true },
  inactive: { isActive: false },
  verified: { isVerified: true },
  unverified: { isVerified: false },
  with_2fa: { 'twoFactor.backupSalt': { $gt: '' } },
  without_2fa: { twoFactor: null },
}

/** Pages of users and their figures. */
export function createUserLists(connection: Connection) {
  const users = userModel(connection)

  function toFilter({ search, role, state, exceptId }: UserQuery): QueryFilter<UserDoc> {
    const filter: QueryFilter<UserDoc> = state ? { ...stateFilters[state] } : {}
    if (role) filter.role = { $eq: role }
    if (exceptId) filter._id = { $ne: new Types.ObjectId(exceptId) }
    if (search) {
      const pattern = literalPattern(search)
      filter.$or = [{ email: pattern }, { username: pattern }, { firstName: pattern }, { lastName: pattern }]
    }
    return filter
  }

  /** Newest first. */
  async function list(query: UserQuery, { page, per_page: perPage }: { page: number; per_page: number }) {
    const filter = toFilter(query)
    const [total, rows] = await Promise.all([
      users.countDocuments(filter),
      users
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<UserDoc[]>(),
    ])
    return { total, rows }
  }

  async function stats() {
    const [total, active, verified, withTwoFactor] = await Promise.all([
      users.countDocuments({}),
      users.countDocuments({ isActive: true }),
      users.countDocuments({ isVerified: true }),
      users.countDocuments({ 'twoFactor.backupSalt': { $gt: '' } }),
    ])
    return { total_users: total, active_users: active, verified_users: verified, users_with_2fa: withTwoFactor }
  }

  return { list, stats }
}
