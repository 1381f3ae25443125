import { api } from '#contract/api.ts'
import type { Clock } from '#data/clock.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { AdminService } from '../admin/service.ts'
import { toUserQuery } from '../admin/user-query.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'

interface SuperAdminDeps {
  users: Pick<Users, 'list'>
  clock: Clock
  admin: Pick<AdminService, 'create' | 'remove' | 'resetPassword' | 'setRole'>
}

export function mountSuperAdmin(router: AppRouter, { users, clock, admin }: SuperAdminDeps): void {
  route(router, api.superAdmin.createUser, async ({ body, ...context }) => {
    const created = await admin.create(context, {
      email: body.email,
      username: body.username,
      password: body.password,
      firstName: body.first_name,
      lastName: body.last_name,
      role: body.role,
      isActive: body.is_active,
      isVerified: body.is_verified,
      mustChangePassword: true,
      hasTwoFactorGrace: true,
    })
    return { user: presentUser(created) }
  })

  route(router, api.superAdmin.listUsers, async ({ query, user }) => {
    const exceptId = query.exclude_self ? user.id : undefined
    const { total, rows } = await users.list(toUserQuery(query, clock), { ...query, exceptId })
    return { users: rows.map((user) => presentUser(user)), ...presentPage(query, total) }
  })

  route(router, api.superAdmin.deleteUser, async ({ params, ...context }) => {
    await admin.remove(context, params.id, { canRemoveSuperAdmin: true })
    return { message: 'User deleted' }
  })

  route(router, api.superAdmin.resetPassword, async ({ params, body, ...context }) => {
    const { new_password: password, open_library: opensLibrary, address } = body
    await admin.resetPassword(context, params.id, { password, opensLibrary, address })
    return { message: 'Password reset; the user must change it at the next sign-in' }
  })

  route(router, api.superAdmin.setRole, async ({ params, body, ...context }) => ({
    user: presentUser(await admin.setRole(context, params.id, body.role)),
  }))
}
