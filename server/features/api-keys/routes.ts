import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { ApiKey } from '#contract/entities/api-key.ts'
import type { ApiKeyRecord } from '#data/api-keys/api-keys.ts'
import type { Clock } from '#data/clock.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { assertRecentPassword } from '../sessions/recent-password.ts'
import type { Reauthenticate } from '../two-factor/reauthenticate.ts'
import type { Users } from '../users/service.ts'
import type { ApiKeys } from './service.ts'
import { showPrefix } from './token.ts'

interface ApiKeyRoutesDeps {
  apiKeys: ApiKeys
  users: Pick<Users, 'get'>
  reauthenticate: Pick<Reauthenticate, 'byHeader'>
  clock: Clock
}

export function mountApiKeys(router: AppRouter, { apiKeys, users, reauthenticate, clock }: ApiKeyRoutesDeps): void {
  route(router, api.integrations.listKeys, async ({ user }) => ({ keys: (await apiKeys.list(user.id)).map(present) }))

  route(router, api.integrations.createKey, async ({ user, session, body, origin, ctx }) => {
    assertRecentPassword(session, clock)
    const newKey = { name: body.name, scope: body.scope, expiresAt: new Date(body.expires_at) }
    await apiKeys.assertCanCreate(user.id, newKey)
    const owner = await users.get(user.id)
    if (owner.twoFactor) await reauthenticate.byHeader({ user: owner, session, origin }, ctx)
    const { key, token } = await apiKeys.create(owner, newKey, origin)
    return { key: present(key), token }
  })

  route(router, api.integrations.revokeKey, async ({ user, params, origin }) => {
    const wasThere = await apiKeys.revoke(user, params.id, origin)
    if (!wasThere) throw new AppError('not_found', 'API key not found')
    return { message: 'API key revoked' }
  })
}

function present(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: showPrefix(key.prefix),
    scope: key.scope,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_from: key.lastUsedFrom,
  }
}
