import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'
import type { AddressChanges } from './address-changes.ts'

interface AddressRoutesDeps {
  users: Pick<Users, 'get'>
  addressChanges: AddressChanges
  presentOwnUser: PresentOwnUser
}

/** How a new address that an administrator gave is stopped, or put into effect before its time. */
export function mountAddressChanges(router: AppRouter, deps: AddressRoutesDeps): void {
  const { users, addressChanges, presentOwnUser } = deps

  route(router, api.profile.stopEmailChange, async ({ user, session, origin }) => {
    await addressChanges.stop(user.id, { actor: user, origin })
    return { user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(router, api.auth.stopEmailChange, async ({ body, origin }) => {
    await addressChanges.stopByToken(body.token, origin)
    return { message: 'Your address stays as it is' }
  })

  route(router, api.recovery.stopEmailChange, async ({ user, params, origin }) => {
    await users.get(params.id)
    await addressChanges.stop(params.id, { actor: user, origin })
    return { user: presentUser(await users.get(params.id)) }
  })

  route(router, api.recovery.applyEmailChange, async ({ user, params, origin }) => ({
    user: presentUser(await addressChanges.apply(params.id, { actor: user, origin })),
  }))
}
