import { z } from 'zod'
import { Role, Session, User } from './entities/user.ts'
import { PageInfo } from './scalars.ts'

/** The search text for lists of users and sessions. */
export const ListSearch = z.string().trim().max(200).default('')

/** Narrows a list of users to those of one state. */
export const UserState = z.enum(['', 'active', 'inactive', 'verified', 'unverified', 'with_2fa', 'without_2fa'])
export type UserState = z.infer<typeof UserState>
/** Columns by which users can be sorted; `last_login` puts users who never signed in first. */
export const UserSort = z.enum(['created_at', 'name', 'email', 'role', 'last_login'])
export type UserSort = z.infer<typeof UserSort>
/** Filters and order of a list of users. */
export const UserFilters = {
  search: ListSearch,
  state: UserState.default(''),
  role: z.union([Role, z.enum(['all', ''])]).default(''),
  /** Only users who have not signed in for this many days; 0 for all. */
  inactive_days: z.coerce.number().int().min(0).max(3650).default(0),
  sort: UserSort.default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
}
export const BulkUserAction = z.enum(['activate', 'deactivate', 'revoke_sessions', 'make_user', 'make_admin', 'delete'])
export type BulkUserAction = z.infer<typeof BulkUserAction>

/** A session with its user. */
export const UserSession = Session.extend({
  user: User.pick({ id: true, first_name: true, last_name: true, username: true, email: true, role: true }),
})
export type UserSession = z.infer<typeof UserSession>
export const UserPage = z.object({ users: z.array(User), ...PageInfo })
