import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/accounts/user-model.ts'
import type { AppContext, AppRouter, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { presentUser } from '../users/present.ts'

export function mountTwoFactor(router: AppRouter, services: Services): void {
  const { users, twoFactor, reauthenticate, sessions, audit } = services

  async function note(user: UserDoc, action: string, origin: RequestOrigin): Promise<void> {
    const actor = { id: user._id.toHexString(), email: user.email }
    await audit.record({ action: `two_factor.${action}`, outcome: 'success', actor }, origin)
  }

  /** The user behind a request that carries a code of the enabled second factor in X-TOTP-Token. */
  async function requireCode(userId: string, ctx: AppContext, origin: RequestOrigin): Promise<UserDoc> {
    const code = ctx.get('X-TOTP-Token').trim()
    if (code === '') throw invalidInput(['Please enter your authenticator code'])
    const user = await users.get(userId)
    if (!user.twoFactor) throw new AppError('conflict', '2FA is not enabled for this user')
    await reauthenticate.byCode(user, code, origin)
    return user
  }

  route(router, api.profile.enableTwoFactor, async ({ user }) => twoFactor.begin(await users.get(user.id)))

  route(router, api.profile.verifyTwoFactor, async ({ user, session, body, origin }) => {
    const before = await users.get(user.id)
    const isSetup = before.twoFactor === null
    const take = isSetup ? () => twoFactor.confirm(before, body.token) : undefined
    await reauthenticate.byCode(before, body.token, origin, take)
    if (isSetup) {
      await sessions.endAll(user.id, session.id)
      await note(before, 'enable', origin)
    }
    return { valid: true as const, user: presentUser(await users.get(user.id)) }
  })

  route(router, api.profile.disableTwoFactor, async ({ user, session, origin, ctx }) => {
    const before = await requireCode(user.id, ctx, origin)
    await twoFactor.disable(before._id)
    await sessions.endAll(user.id, session.id)
    await note(before, 'disable', origin)
    return { user: presentUser(await users.get(user.id)) }
  })

  route(router, api.profile.renewBackupCodes, async ({ user, origin, ctx }) => {
    const before = await requireCode(user.id, ctx, origin)
    const codes = await twoFactor.replaceBackupCodes(before._id)
    await note(before, 'backup_codes', origin)
    return { backup_codes: codes }
  })
}
