import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Passkey } from '#contract/endpoints/passkeys.ts'
import type { PasskeyRecord } from '#data/passkeys/passkeys.ts'
import { isBrowser, type SessionCookies } from '../sessions/cookies.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentTokens } from '../sessions/present.ts'
import type { Users } from '../users/service.ts'
import type { PasskeyLibraryProof } from './library-proof.ts'
import type { Passkeys } from './service.ts'
import type { PasskeySignIn } from './sign-in.ts'

const verifyFirst = 'Please verify your email address before logging in'

interface PasskeyRoutesDeps {
  passkeys: Passkeys
  passkeySignIn: PasskeySignIn
  passkeyLibraryProof: PasskeyLibraryProof
  users: Pick<Users, 'get'>
  cookies: Pick<SessionCookies, 'setSession' | 'setDevice' | 'readDevice'>
  devices: Pick<KnownDevices, 'tagOf' | 'recognize' | 'remember'>
  presentOwnUser: PresentOwnUser
}

export function mountPasskeys(router: AppRouter, deps: PasskeyRoutesDeps): void {
  const { passkeys, passkeySignIn, passkeyLibraryProof, users, cookies, devices, presentOwnUser } = deps

  route(router, api.passkeys.list, async ({ user }) => {
    const found = await passkeys.list(user.id)
    return { passkeys: found.map(presentPasskey) }
  })

  route(router, api.passkeys.begin, async ({ user, session, ctx }) => {
    const options = await passkeys.begin({ userId: user.id, session }, ctx.get('Origin'))
    return { options: { ...options } }
  })

  route(router, api.passkeys.add, async ({ user, session, body, origin }) => {
    const added = await passkeys.add({ userId: user.id, session, origin }, body)
    return { passkey: presentPasskey(added) }
  })

  route(router, api.passkeys.rename, async ({ user, session, params, body, origin }) => {
    const renamed = await passkeys.rename({ userId: user.id, session, origin }, params.id, body.name)
    return { passkey: presentPasskey(renamed) }
  })

  route(router, api.passkeys.remove, async ({ user, session, params, origin }) => {
    await passkeys.remove({ userId: user.id, session, origin }, params.id)
    return { message: 'Passkey removed' }
  })

  route(router, api.passkeys.beginProof, async ({ user, session, ctx }) => {
    const options = await passkeyLibraryProof.begin({ user: await users.get(user.id), session }, ctx.get('Origin'))
    return { options: { ...options } }
  })

  route(router, api.passkeys.openLibrary, async ({ user, session, body, origin }) => {
    await passkeyLibraryProof.prove({ user: await users.get(user.id), session }, body, origin)
    return { message: 'Your library is open', user: await presentOwnUser(await users.get(user.id), session) }
  })

  route(
    router,
    api.passkeys.beginSignIn,
    async ({ origin, ctx }) => {
      const { challengeId, options } = await passkeySignIn.begin(origin, ctx.get('Origin'))
      return { challenge_id: challengeId, options: { ...options } }
    },
    { isUncounted: true },
  )

  route(
    router,
    api.passkeys.signIn,
    async ({ body, origin, ctx }) => {
      const request = { challengeId: body.challenge_id, response: body.response, isRemembered: body.remember_me }
      const outcome = await passkeySignIn.signIn(request, { origin, isBrowser: isBrowser(ctx) })
      if (outcome.kind === 'requires_verification') {
        return { requires_verification: true as const, user_id: outcome.userId, message: verifyFirst }
      }
      const { user, session } = outcome
      const device = devices.tagOf(user.email)
      const known = cookies.readDevice(ctx, device)
      const isKnown = (await devices.recognize(user.id, known)) !== undefined
      cookies.setSession(ctx, session)
      cookies.setDevice(ctx, device, await devices.remember(user.id, isKnown ? known : undefined))
      return { ...presentTokens(session), user: await presentOwnUser(user, { hasEnteredPassword: false }) }
    },
    { isUncounted: true },
  )
}

function presentPasskey({ id, name, createdAt, lastUsedAt, isBackedUp }: PasskeyRecord): Passkey {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    is_synced: isBackedUp,
  }
}
