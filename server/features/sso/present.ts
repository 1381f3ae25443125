import type { SsoResult } from '#contract/endpoints/sso.ts'
import type { SignInProvider } from '#contract/entities/sign-in-provider.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { AppContext } from '#server/http/context.ts'
import type { SessionCookies } from '../sessions/cookies.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentTokens } from '../sessions/present.ts'
import { callbackUrlOf } from './oidc/sign-in.ts'
import type { SsoOutcome } from './sign-in.ts'

interface PresentOutcomeDeps {
  cookies: Pick<SessionCookies, 'setSession'>
  presentOwnUser: PresentOwnUser
}

/** Presents an outcome, and sets the cookies of a session that has begun. `ticket` is the one to continue with. */
export async function presentOutcome(
  ctx: AppContext,
  { cookies, presentOwnUser }: PresentOutcomeDeps,
  outcome: SsoOutcome,
  ticket: string,
): Promise<SsoResult> {
  if (outcome.kind === 'requires_2fa') {
    return { requires_2fa: true, user_id: outcome.userId, ticket, methods: outcome.methods }
  }
  if (outcome.kind === 'requires_link') {
    const { email, providerName, requiresCode } = outcome
    return { requires_link: true, ticket, email, provider_name: providerName, requires_code: requiresCode }
  }
  cookies.setSession(ctx, outcome.session)
  return {
    ...presentTokens(outcome.session),
    user: await presentOwnUser(outcome.user, { ...outcome, hasEnteredPassword: false }),
  }
}

/** Presents a provider to super admins: without its secret. */
export function presentProvider(
  { id, settings, sealedSecret, createdAt }: SignInProviderRecord,
  { users, publicUrl }: { users: number; publicUrl: string },
): SignInProvider {
  const stored = { id, has_secret: sealedSecret !== null, created_at: createdAt.toISOString(), users }
  return settings.kind === 'oidc'
    ? { ...settings, ...stored, callback_url: callbackUrlOf(publicUrl, id) }
    : { ...settings, ...stored }
}
