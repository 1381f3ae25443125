import { createRemoteJWKSet, customFetch as keysFetch, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose'
import * as openid from 'openid-client'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { OidcSettings, SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import { isSafeAddress } from '../provider-rules.ts'
import { fetchFromProvider, unavailableError } from './provider-fetch.ts'

const timeoutSeconds = 10
const cacheMs = 10 * 60_000
const clockToleranceSeconds = 30
/** Shared secrets (HS256) are refused: anyone who can read ours could issue tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

export type OidcProvider = SignInProviderRecord<OidcSettings>

/** Returns whether a provider is an OpenID provider. */
export function isOidc(provider: SignInProviderRecord): provider is OidcProvider {
  return provider.settings.kind === 'oidc'
}

/** What the discovery document says about an OpenID provider. */
export interface OidcClient {
  configuration: openid.Configuration
  metadata: ReturnType<openid.Configuration['serverMetadata']>
  /**
   * Checks the signature, issuer, audience and times of a token from the provider. Throws an error of `jose`, or `provider_unavailable`.
   */
  verify(token: string, options?: JWTVerifyOptions): Promise<JWTPayload>
}

interface ClientsDeps {
  openSecret: (provider: Pick<SignInProviderRecord, 'id' | 'sealedSecret'>) => string | undefined
  clock: Clock
}

/** Discovers OpenID providers (OpenID Connect Discovery 1.0), and caches the result for ten minutes. */
export function createOidcClients({ openSecret, clock }: ClientsDeps) {
  const known = new Map<string, { client: OidcClient; updatedAt: number; readAt: number }>()

  /** Throws `provider_unavailable`. */
  async function get(provider: OidcProvider): Promise<OidcClient> {
    return recall(provider, cacheMs) ?? discover(provider)
  }

  /** Returns what is known about a provider, however old, and queries it only if nothing is known. Throws `provider_unavailable`. */
  async function getKnown(provider: OidcProvider): Promise<OidcClient> {
    return recall(provider, Infinity) ?? discover(provider)
  }

  function recall({ id, updatedAt }: OidcProvider, maxAgeMs: number): OidcClient | undefined {
    const found = known.get(id)
    if (found?.updatedAt !== updatedAt.getTime() || clock.now() - found.readAt > maxAgeMs) return undefined
    return found.client
  }

  /** Queries the provider again. Throws `provider_unavailable`. */
  async function discover(provider: OidcProvider): Promise<OidcClient> {
    const client = await readClient(provider, openSecret(provider))
    known.set(provider.id, { client, updatedAt: provider.updatedAt.getTime(), readAt: clock.now() })
    return client
  }

  return { get, getKnown, discover }
}

export type OidcClients = ReturnType<typeof createOidcClients>

async function readClient({ settings }: OidcProvider, secret: string | undefined): Promise<OidcClient> {
  const issuer = new URL(settings.issuer)
  const configuration = await openid
    .discovery(
      issuer,
      settings.client_id,
      { [openid.clockTolerance]: clockToleranceSeconds, ...(secret && { client_secret: secret }) },
      secret ? authenticateBySecret(secret) : openid.None(),
      {
        timeout: timeoutSeconds,
        [openid.customFetch]: (address, options) => fetchFromProvider(address, toRequest(options)),
        // `fetchFromProvider` checks each address.
        execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
      },
    )
    .catch((error: unknown) => {
      throw findUnavailable(error) ?? unavailableError('Its discovery document cannot be used.', error)
    })
  const metadata = configuration.serverMetadata()
  const { authorization_endpoint: pages, token_endpoint: tokens, jwks_uri: keysAddress } = metadata
  if (!pages || !tokens || !keysAddress || ![pages, tokens, keysAddress].every(isSafeAddress)) {
    throw unavailableError('Its discovery document names no https addresses for signing in.')
  }
  const keys = createRemoteJWKSet(new URL(keysAddress), {
    timeoutDuration: timeoutSeconds * 1000,
    // An unknown key triggers a new query at once, so that a provider may change keys at any time. The rate limits bound how often.
    cooldownDuration: 0,
    cacheMaxAge: cacheMs,
    [keysFetch]: fetchFromProvider,
  })
  return {
    configuration,
    metadata,
    async verify(token, options = {}) {
      const checks = { issuer: metadata.issuer, audience: settings.client_id, clockTolerance: clockToleranceSeconds }
      const { payload } = await jwtVerify(token, keys, { ...checks, algorithms, ...options })
      return payload
    },
  }
}

/** Sends the secret in the body if the provider accepts that, otherwise in the header, which every provider accepts. */
function authenticateBySecret(secret: string): openid.ClientAuth {
  const inBody = openid.ClientSecretPost(secret)
  const inHeader = openid.ClientSecretBasic(secret)
  return (server, client, body, headers) => {
    const isBodySupported = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (isBodySupported ? inBody : inHeader)(server, client, body, headers)
  }
}

function toRequest({ body, headers, method, signal }: openid.CustomFetchOptions) {
  const hasText = typeof body === 'string' || body instanceof URLSearchParams
  return { headers, method, ...(hasText && { body }), ...(signal && { signal }) }
}

/** Returns the `provider_unavailable` error among an error and its causes: libraries wrap what our fetch throws. */
export function findUnavailable(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.code === 'provider_unavailable' ? error : undefined
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError' || error.name === 'JWKSTimeout')
    return unavailableError('It did not respond in time.')
  return findUnavailable(error.cause)
}
