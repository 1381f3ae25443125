import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'
import type { LibraryProofs } from './proofs.ts'
import type { ClosedLibraries } from './service.ts'

interface ClosedLibraryRoutesDeps {
  users: Pick<Users, 'get'>
  closedLibraries: ClosedLibraries
  libraryProofs: LibraryProofs
  presentOwnUser: PresentOwnUser
}

export function mountClosedLibrary(router: AppRouter, deps: ClosedLibraryRoutesDeps): void {
  const { users, closedLibraries, libraryProofs, presentOwnUser } = deps

  route(router, api.profile.openLibrary, async ({ user, session, body, origin }) => {
    const { address, ...proof } = body
    await libraryProofs.prove({ user: await users.get(user.id), session, origin, address }, proof)
    return { message: 'Your library is open', user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(router, api.recovery.openLibrary, async ({ user, params, body, origin }) => {
    if (params.id === user.id)
      throw new AppError('conflict', 'You cannot open your own library. Please ask another super admin.')
    await closedLibraries.open(await users.get(params.id), { actor: user, origin, ...body })
    return { user: presentUser(await users.get(params.id)) }
  })
}
