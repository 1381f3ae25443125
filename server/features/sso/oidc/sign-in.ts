import type { Logger } from 'pino'
import * as openid from 'openid-client'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../../audit/service.ts'
import { providerNotFound, type Providers } from '../providers.ts'
import type { SsoSignIn } from '../sign-in.ts'
import type { SsoTickets } from '../tickets.ts'
import { identityFromClaims, lacksClaims, type OidcClaims } from './claims.ts'
import { findUnavailable, isOidc, type OidcClient, type OidcClients, type OidcProvider } from './clients.ts'

/** What is kept about an attempt while the person is on the provider's pages. */
const Attempt = z.object({
  providerId: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  isRemembered: z.boolean(),
})

/** Why the browser returns without a ticket: words in the address that the page /sso explains. */
export type OidcCallbackFailure = 'denied' | 'failed' | 'expired' | 'unavailable' | 'not_allowed' | 'deactivated'

export type OidcCallbackOutcome = { ticket: { token: string; binding: string } } | { failure: OidcCallbackFailure }

/** What the provider sent back with the browser. */
interface CallbackRequest {
  providerId: string
  query: URLSearchParams
  /** The attempt's cookie. */
  binding: string | undefined
  origin: RequestOrigin
  log: Logger
}

interface OidcSignInDeps {
  providers: Pick<Providers, 'findEnabled'>
  clients: Pick<OidcClients, 'get'>
  tickets: SsoTickets
  signIn: Pick<SsoSignIn, 'begin'>
  /** Keeps the ID token for single sign-out: sign-out.ts. */
  sealIdToken: (idToken: string, providerId: string) => string | null
  audit: Pick<Audit, 'record'>
  publicUrl: string
}

/** Returns the address to which an OpenID provider sends browsers back; it must be registered with the provider. */
export function callbackUrlOf(publicUrl: string, providerId: string): string {
  return `${publicUrl}/api/auth/sso/oidc/${providerId}/callback`
}

/**
 * Signs in with OpenID providers through the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636), `state`
 * bound to the browser, `nonce`, and the issuer in the response (RFC 9207).
 */
export function createOidcSignIn({
  providers,
  clients,
  tickets,
  signIn,
  sealIdToken,
  audit,
  publicUrl,
}: OidcSignInDeps) {
  /** Returns the provider's page for one attempt of this browser. Throws `not_found` or `provider_unavailable`. */
  async function start(id: string, { isRemembered }: { isRemembered: boolean }) {
    const provider = await findOidc(id)
    if (!provider) throw providerNotFound()
    const { configuration } = await clients.get(provider)
    const attempt = { providerId: id, nonce: openid.randomNonce(), codeVerifier: openid.randomPKCECodeVerifier() }
    const ticket = await tickets.issue('attempt', { ...attempt, isRemembered })
    const redirectTo = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callbackUrlOf(publicUrl, id),
      scope: withOpenid(provider.settings.scopes),
      state: ticket.token,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { redirectTo: redirectTo.href, ticket }
  }

  /** Returns a ticket for a session, or the reason why there is none. */
  async function finishAtProvider(request: CallbackRequest): Promise<OidcCallbackOutcome> {
    const { providerId, query, binding, origin, log } = request
    const attempt = await tickets.consume('attempt', { token: query.get('state') ?? '', binding }, Attempt)
    if (!attempt || attempt.providerId !== providerId) return { failure: 'expired' }
    const provider = await findOidc(providerId)
    if (!provider) return { failure: 'unavailable' }
    try {
      const { claims, idToken } = await redeem(await clients.get(provider), provider, query, attempt)
      const ticket = await signIn.begin(identityFromClaims(claims, provider.settings), provider, {
        origin,
        isRemembered: attempt.isRemembered,
        sid: typeof claims.sid === 'string' ? claims.sid : null,
        idToken: sealIdToken(idToken, providerId),
      })
      return { ticket }
    } catch (error) {
      const failure = failureOf(error)
      // Only messages are logged: the causes contain codes and tokens.
      log.warn({ provider: provider.settings.name, failure, reason: reasonOf(error) }, 'sign-in at a provider failed')
      if (failure === 'failed') {
        const details = `${provider.settings.name}: ${failure}`
        await audit.record({ action: 'auth.signin', outcome: 'failure', details }, origin)
      }
      return { failure }
    }
  }

  /** Exchanges the code for tokens, checks them, and returns the person's claims. */
  async function redeem(
    client: OidcClient,
    { id, settings }: OidcProvider,
    query: URLSearchParams,
    { nonce, codeVerifier }: z.infer<typeof Attempt>,
  ): Promise<{ claims: OidcClaims; idToken: string }> {
    const { configuration } = client
    const address = new URL(callbackUrlOf(publicUrl, id))
    address.search = query.toString()
    const tokens = await openid.authorizationCodeGrant(configuration, address, {
      expectedState: query.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const idToken = tokens.id_token ?? ''
    const { sub, ...verified } = await client.verify(idToken)
    if (!sub) throw new TypeError('The ID token names no subject')
    const claims = { ...verified, sub }
    if (!client.metadata.userinfo_endpoint || !lacksClaims(claims, settings)) return { claims, idToken }
    const more = await openid.fetchUserInfo(configuration, tokens.access_token, sub)
    return { claims: { ...more, ...claims }, idToken }
  }

  async function findOidc(id: string): Promise<OidcProvider | undefined> {
    const found = await providers.findEnabled(id)
    return found && isOidc(found) ? found : undefined
  }

  return { start, finishAtProvider }
}

export type OidcSignIn = ReturnType<typeof createOidcSignIn>

function withOpenid(scopes: string): string {
  return [...new Set(['openid', ...scopes.split(/\s+/).filter(Boolean)])].join(' ')
}

function failureOf(error: unknown): OidcCallbackFailure {
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return ['temporarily_unavailable', 'server_error'].includes(error.error) ? 'unavailable' : 'failed'
  }
  if (findUnavailable(error)) return 'unavailable'
  if (!(error instanceof AppError)) return 'failed'
  if (error.code === 'sso_denied') return 'not_allowed'
  if (error.code === 'account_deactivated') return 'deactivated'
  return error.code === 'unavailable' || error.code === 'rate_limited' ? 'unavailable' : 'failed'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
