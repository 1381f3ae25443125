import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { presentUser } from '../users/present.ts'

export function mountProfile(router: AppRouter, { users }: Services): void {
  route(router, api.profile.get, async ({ user }) => ({ user: presentUser(await users.get(user.id)) }))
}
