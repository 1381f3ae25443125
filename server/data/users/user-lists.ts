import type { Connection, QueryFilter } from 'mongoose'
import type { UserSort, UserState } from '#contract/user-list.ts'
import type { Role } from '#contract/entities/user.ts'
import { toObjectId } from '../ids.ts'
import { literalPattern } from '../model.ts'
import { userModel, type UserDocument } from './user-model.ts'
import { toUserRecord, type UserRecord } from './user-record.ts'

/** Selects users; absent or empty fields match everyone. */
export interface UserQuery {
  search: string
  role?: Role | undefined
  state?: UserState | undefined
  /** Selects only users with older accounts who have not signed in since, or never. */
  unusedSince?: Date | undefined
}

/** The order of users. Default: newest first. */
export interface UserOrder {
  sort?: UserSort | undefined
  order?: 'asc' | 'desc' | undefined
}

interface UserPage extends UserOrder {
  page: number
  per_page: number
  exceptId?: string | undefined
}

type Filter = QueryFilter<UserDocument>

/** A passkey is a second factor too. */
const withSecondFactor: Filter[] = [
  { 'twoFactor.backupSalt': { $gt: '' } },
  { 'twoFactor.backupSalt': null, hasPasskey: true },
]
const withoutSecondFactor: Filter = { 'twoFactor.backupSalt': null, hasPasskey: { $in: [null, false] } }

const stateFilters: Record<Exclude<UserState, '' | 'with_2fa'>, Filter> = {
  active: { isActive: true },
  inactive: { isActive: false },
  verified: { isVerified: true },
  unverified: { isVerified: false },
  without_2fa: withoutSecondFactor,
}

/** Lists, exports and counts users. */
export function createUserLists(connection: Connection) {
  const users = userModel(connection)

  /** Returns a page of the matching users, and the total number. */
  async function list(
    query: UserQuery,
    { page, per_page: perPage, exceptId, ...order }: UserPage,
  ): Promise<{ total: number; rows: UserRecord[] }> {
    const filter = toFilter(query)
    const except = exceptId ? toObjectId(exceptId) : undefined
    const [total, isExceptAmong, rows] = await Promise.all([
      users.countDocuments(filter),
      except && users.exists({ ...filter, _id: except }),
      users
        .find(except ? { ...filter, _id: { $ne: except } } : filter, null, { sort: toSort(order) })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<UserDocument[]>(),
    ])
    return { total: isExceptAmong ? total - 1 : total, rows: rows.map(toUserRecord) }
  }

  /** Yields all matching users, reading them in batches. */
  async function* stream(query: UserQuery, order: UserOrder): AsyncGenerator<UserRecord> {
    const cursor = users
      .find(toFilter(query), null, { sort: toSort(order) })
      .lean<UserDocument[]>()
      .cursor({ batchSize: 500 })
    for await (const user of cursor) yield toUserRecord(user)
  }

  /** Returns the ids of all matching users. */
  async function listIds(query: UserQuery): Promise<string[]> {
    const found = await users
      .find(toFilter(query), { _id: 1 }, { sort: toSort({}) })
      .lean<Pick<UserDocument, '_id'>[]>()
    return found.map(({ _id }) => _id.toHexString())
  }

  /** Returns users by their ids; those that do not exist are missing. */
  async function findByIds(ids: string[]): Promise<Map<string, UserRecord>> {
    const found = await users.find({ _id: { $in: [...new Set(ids)].map(toObjectId) } }).lean<UserDocument[]>()
    return new Map(found.map((user) => [user._id.toHexString(), toUserRecord(user)]))
  }

  /** Returns the number of users in total and in each state. For each state, the rarer side is counted. */
  async function count() {
    const [total, inactive, unverified, withoutTwoFactor] = await Promise.all([
      users.countDocuments({}),
      users.countDocuments(stateFilters.inactive),
      users.countDocuments(stateFilters.unverified),
      users.countDocuments(withoutSecondFactor),
    ])
    return { total, inactive, unverified, withoutTwoFactor }
  }

  /** Returns how many users have not signed in since a time. */
  async function countUnused(since: Date): Promise<number> {
    return users.countDocuments(toFilter({ search: '', unusedSince: since }))
  }

  return { list, stream, listIds, findByIds, count, countUnused }
}

export type UserLists = ReturnType<typeof createUserLists>

function toFilter({ search, role, state, unusedSince }: UserQuery): Filter {
  const [first, ...others] = [
    ...(unusedSince ? [isUnusedSince(unusedSince)] : []),
    ...(state === 'with_2fa' ? [withSecondFactor] : []),
    ...(search ? [matches(search)] : []),
  ]
  // Indexes are used only for the alternatives in `$or`, and none supports words inside names, so a search comes last.
  return {
    ...(first && { $or: first }),
    ...(others.length > 0 && { $and: others.map((alternatives) => ({ $or: alternatives })) }),
    ...(state && state !== 'with_2fa' && stateFilters[state]),
    ...(role && { role: { $eq: role } }),
  }
}

function matches(search: string): Filter[] {
  const pattern = literalPattern(search)
  const fields = [{ email: pattern }, { username: pattern }, { firstName: pattern }, { lastName: pattern }]
  // The sort name contains first and last name together.
  return [...fields, { sortName: pattern }]
}

function isUnusedSince(since: Date): Filter[] {
  return [{ lastLoginAt: { $lt: since } }, { lastLoginAt: null, createdAt: { $lt: since } }]
}

/** Each order has an index. The id makes the order of equal values stable across pages; addresses are unique. */
function toSort({ sort = 'created_at', order = 'desc' }: UserOrder): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1
  if (sort === 'email') return { email: direction }
  return { [sortFields[sort]]: direction, _id: direction }
}

const sortFields = { created_at: 'createdAt', name: 'sortName', role: 'role', last_login: 'lastLoginAt' } as const
