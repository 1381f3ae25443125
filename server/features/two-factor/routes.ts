import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { AppContext, AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { assertRecentPassword } from '../sessions/recent-password.ts'
import type { Users } from '../users/service.ts'
import type { TwoFactorChange } from './change.ts'
import type { Reauthenticate, ReauthenticationRequest } from './reauthenticate.ts'
import type { TwoFactorService } from './service.ts'

interface TwoFactorRoutesDeps {
  users: Pick<Users, 'get'>
  twoFactor: TwoFactorService
  twoFactorChange: TwoFactorChange
  reauthenticate: Pick<Reauthenticate, 'byCode' | 'byHeader'>
  presentOwnUser: PresentOwnUser
  clock: Clock
}

export function mountTwoFactor(router: AppRouter, deps: TwoFactorRoutesDeps): void {
  const { users, twoFactor, twoFactorChange, reauthenticate, presentOwnUser, clock } = deps

  /** Checks the code of the enabled second factor. */
  async function requireCode(request: ReauthenticationRequest, ctx: AppContext): Promise<void> {
    if (!request.user.twoFactor) throw new AppError('conflict', '2FA is not enabled for this user')
    await reauthenticate.byHeader(request, ctx)
  }

  route(router, api.profile.enableTwoFactor, async ({ user, session, body, origin }) => {
    const before = await users.get(user.id)
    if (before.twoFactor) throw new AppError('two_factor_enabled', '2FA is already enabled for this user')
    assertRecentPassword(session, clock)
    return twoFactor.beginSetup(before, origin.ip, body)
  })

  route(router, api.profile.verifyTwoFactor, async ({ user, session, body, origin }) => {
    const before = await users.get(user.id)
    const isSetup = before.twoFactor === null
    const consume = isSetup ? () => twoFactor.confirmSetup(before, body.token, origin.ip) : undefined
    await reauthenticate.byCode({ user: before, session, origin }, body.token, consume)
    if (isSetup) await twoFactorChange.announce(before, 'enable', { origin, keepSessionId: session.id })
    return { valid: true as const, user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(router, api.profile.disableTwoFactor, async ({ user, session, origin, ctx }) => {
    const before = await users.get(user.id)
    await requireCode({ user: before, session, origin }, ctx)
    await twoFactor.disable(user.id)
    await twoFactorChange.announce(before, 'disable', { origin, keepSessionId: session.id })
    return { user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(router, api.profile.renewBackupCodes, async ({ user, session, origin, ctx }) => {
    assertRecentPassword(session, clock)
    const before = await users.get(user.id)
    await requireCode({ user: before, session, origin }, ctx)
    const codes = await twoFactor.replaceBackupCodes(before, origin.ip)
    await twoFactorChange.announce(before, 'backup_codes', { origin, keepSessionId: session.id })
    return { backup_codes: codes }
  })
}
