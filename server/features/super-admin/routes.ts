import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { presentUser } from '../users/present.ts'

export function mountSuperAdmin(router: AppRouter, { users, admin }: Services): void {
  route(router, api.superAdmin.createUser, async ({ body, ...acting }) => {
    const created = await admin.create(acting, {
      email: body.email,
      username: body.username,
      password: body.password,
      firstName: body.first_name,
      lastName: body.last_name,
      role: body.role,
      isActive: body.is_active,
      isVerified: body.is_verified,
      mustChangePassword: true,
    })
    return { user: presentUser(created) }
  })

  route(router, api.superAdmin.listUsers, async ({ query, user }) => {
    const role = query.role === 'all' || query.role === '' ? undefined : query.role
    const exceptId = query.exclude_self ? user.id : undefined
    const { total, rows } = await users.list({ search: query.search, state: query.state, role, exceptId }, query)
    return { users: rows.map(presentUser), ...presentPage(query, total) }
  })

  route(router, api.superAdmin.deleteUser, async ({ params, ...acting }) => {
    await admin.remove(acting, params.id, { canRemoveSuperAdmin: true })
    return { message: 'User deleted' }
  })

  route(router, api.superAdmin.resetPassword, async ({ params, body, ...acting }) => {
    await admin.resetPassword(acting, params.id, body.new_password)
    return { message: 'Password reset; the user must change it at the next sign-in' }
  })

  route(router, api.superAdmin.setRole, async ({ params, body, ...acting }) => ({
    user: presentUser(await admin.setRole(acting, params.id, body.role)),
  }))
}
