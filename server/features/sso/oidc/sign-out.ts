import { errors } from 'jose'
import * as openid from 'openid-client'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { IdentityRepository } from '#data/identities/identities.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { createSealer } from '#server/security/sealer.ts'
import type { Audit } from '../../audit/service.ts'
import type { Users } from '../../users/service.ts'
import { isSafeAddress } from '../provider-rules.ts'
import { providerNotFound, type Providers } from '../providers.ts'
import type { SsoTickets } from '../tickets.ts'
import { findUnavailable, isOidc, type OidcClients, type OidcProvider } from './clients.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxTokenAgeSeconds = 5 * 60
/** The token is sent back in a URL, which servers limit to about 8,000 characters. */
const maxIdTokenLength = 5000

interface OidcSignOutDeps {
  providers: Pick<Providers, 'get' | 'endSessions'>
  clients: Pick<OidcClients, 'get' | 'getKnown'>
  tickets: Pick<SsoTickets, 'recordFirstUse'>
  identities: Pick<IdentityRepository, 'find'>
  users: Pick<Users, 'findById'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  key: Buffer
  publicUrl: string
}

/** Single sign-out in both directions, from the provider to us and from us to the provider. */
export function createOidcSignOut(deps: OidcSignOutDeps) {
  const { providers, clients, tickets, identities, audit, clock } = deps
  const sealer = createSealer(deps.key)

  /**
   * Ends the sessions named by a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws `not_found`, `invalid_input` or
   * `provider_unavailable`.
   */
  async function endByLogoutToken(id: string, token: string, origin: RequestOrigin): Promise<void> {
    const provider = await providers.get(id)
    if (!isOidc(provider)) throw providerNotFound()
    const { sub, sid, tokenId } = await readLogoutToken(provider, token)
    if (!(await tickets.recordFirstUse(id, tokenId))) throw invalidToken('it was used before')
    const link = sid === undefined ? await identities.find({ providerId: id, subject: sub ?? '' }) : undefined
    if (sid === undefined && !link) return
    const owners = await providers.endSessions({ providerId: id, sid, ownerId: link?.ownerId })
    for (const ownerId of owners) {
      const actor = await deps.users.findById(ownerId)
      if (!actor) continue
      const details = `by ${provider.settings.name}`
      await audit.record({ action: 'auth.signout', outcome: 'success', actor, details }, origin)
    }
  }

  async function readLogoutToken(provider: OidcProvider, token: string) {
    const client = await clients.get(provider)
    const claims = await client
      .verify(token, {
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: maxTokenAgeSeconds,
        currentDate: new Date(clock.now()),
      })
      .catch((error: unknown) => {
        if (error instanceof errors.JOSEError && !findUnavailable(error)) throw invalidToken(error.message)
        throw findUnavailable(error) ?? error
      })
    const { jti = '', sub, events, nonce, sid } = claims
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
    if (!isLogout) throw invalidToken('it is no logout token')
    if (nonce !== undefined) throw invalidToken('it has a nonce')
    if (sid !== undefined && typeof sid !== 'string') throw invalidToken('its session is no text')
    if (sub === undefined && sid === undefined) throw invalidToken('it names neither a person nor a session')
    return { sub, sid, tokenId: jti }
  }

  /**
   * Returns the address for signing out of the provider that a session was started through (OpenID Connect RP-Initiated Logout 1.0);
   * undefined if it was started otherwise or the provider offers none.
   */
  async function findSignOutAddress(began: SessionRecord['provider']): Promise<string | undefined> {
    if (!began) return undefined
    try {
      const provider = await providers.get(began.id)
      if (!isOidc(provider)) return undefined
      const { configuration, metadata } = await clients.getKnown(provider)
      if (!metadata.end_session_endpoint || !isSafeAddress(metadata.end_session_endpoint)) return undefined
      const address = openid.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${deps.publicUrl}/login`,
        ...(began.idToken && { id_token_hint: sealer.open(began.idToken, began.id) }),
      })
      return address.href
    } catch (error) {
      // The session here has already ended: a provider that is gone or unreachable keeps its session.
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  return {
    endByLogoutToken,
    findSignOutAddress,
    /** Returns the form in which a session stores the ID token; null if it is too long for a URL. */
    sealIdToken: (idToken: string, providerId: string) =>
      idToken.length <= maxIdTokenLength ? sealer.seal(idToken, providerId) : null,
  }
}

export type OidcSignOut = ReturnType<typeof createOidcSignOut>

function invalidToken(reason: string): AppError {
  return new AppError('invalid_input', `The logout token is not accepted: ${reason}.`)
}
