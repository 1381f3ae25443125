import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { ChangedNames } from '#contract/names.ts'
import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AppRouter } from '#server/http/context.ts'
import { invalidInput, parseInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordChange } from '../auth/password-change.ts'
import type { PasswordPolicy } from '../auth/password-policy.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SessionCookies } from '../sessions/cookies.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentTokens } from '../sessions/present.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Reauthenticate } from '../two-factor/reauthenticate.ts'
import type { Users } from '../users/service.ts'
import { createNotificationSettings } from './notifications.ts'

interface ProfileDeps {
  users: Pick<Users, 'get' | 'rename' | 'update'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  sessions: Pick<Sessions, 'renew'>
  cookies: Pick<SessionCookies, 'setSession'>
  reauthenticate: Pick<Reauthenticate, 'byPassword' | 'byCode'>
  passwordPolicy: PasswordPolicy
  passwordChange: PasswordChange
  presentOwnUser: PresentOwnUser
  audit: Pick<Audit, 'record'>
}

const noPasswordMessage = 'Your account signs in through your organisation. Please change your password there.'

export function mountProfile(router: AppRouter, deps: ProfileDeps): void {
  const { users, audit, reauthenticate, passwordPolicy, passwordChange, sessions, cookies, presentOwnUser } = deps

  route(router, api.profile.get, async ({ user, session, origin }) => {
    const found = await users.get(user.id)
    // A change of language reloads the page, and with it the profile.
    if (origin.language && origin.language !== found.language)
      await users.update(user.id, { language: origin.language })
    const backupCodesLeft = found.twoFactor?.backupHashes.length ?? 0
    return { user: await presentOwnUser(found, session), backup_codes_left: backupCodesLeft }
  })

  route(router, api.profile.update, async ({ user, session, body, origin }) => {
    if (body.email !== undefined && body.email !== user.email) throw invalidInput(['Email cannot be changed'], 'email')
    const before = await users.get(user.id)
    const names = parseInput(ChangedNames, {
      ...(body.first_name !== before.firstName && { first_name: body.first_name }),
      ...(body.last_name !== before.lastName && { last_name: body.last_name }),
      ...(body.username !== before.username && { username: body.username }),
    })
    const changed = await users.rename(user.id, {
      ...(names.first_name !== undefined && { firstName: names.first_name }),
      ...(names.last_name !== undefined && { lastName: names.last_name }),
      ...(names.username !== undefined && { username: names.username }),
    })
    await audit.record({ action: 'profile.update', outcome: 'success', actor: user }, origin)
    return { user: await presentOwnUser(changed, session) }
  })

  const notifications = createNotificationSettings(deps)
  route(router, api.profile.getNotifications, ({ user }) => notifications.read(user.id))
  route(router, api.profile.changeNotifications, ({ user, body, origin }) =>
    notifications.change(user.id, body, origin),
  )

  route(router, api.profile.changePassword, async ({ user, session, body, origin, ctx }) => {
    const before = await users.get(user.id)
    if (before.hasPassword === false) throw new AppError('conflict', noPasswordMessage)
    await passwordPolicy.assertAllowed('change', body.new_password, before)
    if (body.new_password === body.current_password)
      throw invalidInput(['Password must differ from the current one'], 'new_password')
    await reauthenticate.byPassword({ user: before, session, origin }, body.current_password)
    const options = { mustChange: false, keepSessionId: session.id, origin }
    const changed = await passwordChange.apply(before, body.new_password, options)
    await audit.record({ action: 'profile.change_password', outcome: 'success', actor: user }, origin)
    const isEveryFactor = !hasSecondFactor(before)
    const renewed = await sessions.renew({ id: session.id, ownerId: user.id }, { origin, isEveryFactor })
    cookies.setSession(ctx, renewed)
    const shown = await presentOwnUser(changed, session)
    return { message: 'Password changed successfully', user: shown, ...presentTokens(renewed) }
  })

  route(router, api.profile.confirmPassword, async ({ user, session, body, origin, ctx }) => {
    const request = { user: await users.get(user.id), session, origin }
    await reauthenticate.byPassword(request, body.password)
    const code = request.user.twoFactor ? body.totp_token : undefined
    if (code !== undefined) await reauthenticate.byCode(request, code)
    const isEveryFactor = code !== undefined || !hasSecondFactor(request.user)
    const renewed = await sessions.renew({ id: session.id, ownerId: user.id }, { origin, isEveryFactor })
    cookies.setSession(ctx, renewed)
    await audit.record({ action: 'profile.confirm_password', outcome: 'success', actor: user }, origin)
    return { message: 'Password confirmed', ...presentTokens(renewed) }
  })
}

function hasSecondFactor({ twoFactor, hasPasskey }: Pick<UserRecord, 'twoFactor' | 'hasPasskey'>): boolean {
  return twoFactor !== null || hasPasskey === true
}
