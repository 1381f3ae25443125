import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'
import type { EmailChanges } from './email-changes.ts'

interface EmailChangeRoutesDeps {
  users: Pick<Users, 'get'>
  emailChanges: EmailChanges
  presentOwnUser: PresentOwnUser
}

/** Mounts the endpoints that stop a new address given by an administrator, or put it into effect early. */
export function mountEmailChanges(router: AppRouter, deps: EmailChangeRoutesDeps): void {
  const { users, emailChanges, presentOwnUser } = deps

  route(router, api.profile.stopEmailChange, async ({ user, session, origin }) => {
    await emailChanges.stop(user.id, { actor: user, origin })
    return { user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(router, api.auth.stopEmailChange, async ({ body, origin }) => {
    await emailChanges.stopByToken(body.token, origin)
    return { message: 'Your address stays as it is' }
  })

  route(router, api.recovery.stopEmailChange, async ({ user, params, query, origin }) => {
    await emailChanges.stop(params.id, { actor: user, origin }, query.email)
    return { user: presentUser(await users.get(params.id)) }
  })

  route(router, api.recovery.applyEmailChange, async ({ user, params, body, origin }) => ({
    user: presentUser(await emailChanges.apply(params.id, { actor: user, origin }, body.email)),
  }))
}
