import { api } from '#contract/api.ts'
import type { SsoResult } from '#contract/endpoints/sso.ts'
import type { SignInProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { z } from 'zod'
import { startOidcProvider, type TestOidcProvider } from '#testing/oidc-provider.ts'
import {
  recordCoverage,
  startTestServer,
  type TestUser,
  type TestServer,
  type TestServerOptions,
} from '#testing/server.ts'

type OidcInput = Extract<z.input<typeof SignInProviderInput>, { kind: 'oidc' }>

/** A server and a real OpenID provider that know each other. */
export interface SingleSignOn {
  server: TestServer
  oidc: TestOidcProvider
  admin: TestUser
  /** Returns an access token of a new admin session: tests advance the clock past the end of earlier sessions. */
  adminToken(): Promise<string>
  /** Id of the provider as stored on the server. */
  providerId: string
  /** Changes the provider's settings; settings left out are set to their defaults. */
  configure(settings: Partial<OidcInput>): Promise<void>
  /** Asks the server where to sign in. */
  start(): Promise<{ redirectTo: string; cookies: Record<string, string> }>
  /** Goes through the provider's page and the callback; returns the `error` or `ticket` that /sso is opened with. */
  signInAt(username: string): Promise<ReceivedCallback>
  /** Exchanges a ticket in the same browser. */
  finish(
    callback: ReceivedCallback,
    entered?: { totp_token?: string; password?: string },
  ): ReturnType<typeof finishWith>
  /** Signs in and returns the tokens; throws if sign-in requires another step. */
  signIn(username: string): Promise<Extract<SsoResult, { access_token: string }>>
  close(): Promise<void>
}

export interface ReceivedCallback {
  ticket: string
  error: string | null
  cookies: Record<string, string>
  headers: Headers
}

/** Starts a server and a provider, and stores the provider on the server. */
export async function startSingleSignOn(
  options: { server?: TestServerOptions; hasClaimsInUserinfo?: boolean } = {},
): Promise<SingleSignOn> {
  const server = await startTestServer(options.server)
  const oidc = await startOidcProvider({ hasClaimsInUserinfo: options.hasClaimsInUserinfo ?? false })
  const admin = await server.createUser({ role: 'super_admin' })
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  async function adminToken(): Promise<string> {
    const options = { userId: admin.id, isRemembered: false, isBrowser: false, origin, hasProvenSecondFactor: true }
    return (await server.services.sessions.start(options)).accessToken
  }

  const created = await server.call(api.signInAdmin.createProvider, { token: await adminToken(), body: inputOf(oidc) })
  const { provider } = created.data
  if (provider.kind !== 'oidc') throw new Error('The provider is of another kind')
  oidc.register({
    redirectUri: provider.callback_url,
    afterSignOut: `${server.config.publicUrl}/login`,
    logoutUri: `${server.config.publicUrl}/api/auth/sso/oidc/${provider.id}/logout`,
  })
  const params = { id: provider.id }

  async function configure(settings: Partial<OidcInput>): Promise<void> {
    const body = { ...inputOf(oidc), ...settings }
    const changed = await server.call(api.signInAdmin.updateProvider, { token: await adminToken(), params, body })
    if (changed.status !== 200) throw new Error(JSON.stringify(changed.raw))
  }

  async function start() {
    const started = await server.call(api.sso.start, { params, body: {} })
    return { redirectTo: started.data.redirect_to, cookies: started.cookies }
  }

  async function signInAt(username: string): Promise<ReceivedCallback> {
    const { redirectTo, cookies } = await start()
    return openOidcCallback(server, await oidc.signIn(redirectTo, username), cookies)
  }

  return {
    server,
    oidc,
    admin,
    adminToken,
    providerId: provider.id,
    configure,
    start,
    signInAt,
    finish: (callback, entered) => finishWith(server, callback, entered),
    async signIn(username) {
      const callback = await signInAt(username)
      if (callback.error) throw new Error(`The callback led to the error ${callback.error}`)
      const { data } = await finishWith(server, callback)
      if (!('access_token' in data)) throw new Error(`Not signed in: ${JSON.stringify(data)}`)
      return data
    },
    async close() {
      await oidc.close()
      await server.close()
    },
  }
}

/** Opens the callback to which the provider redirects the browser, but at the test server's address, which is not PUBLIC_URL. */
export async function openOidcCallback(
  server: TestServer,
  address: URL,
  cookies: Record<string, string>,
): Promise<ReceivedCallback> {
  const [, id = ''] = /\/oidc\/([^/]+)\/callback$/.exec(address.pathname) ?? []
  const query = Object.fromEntries(address.searchParams)
  const response = await fetch(new URL(`${address.pathname}?${new URLSearchParams(query)}`, server.url), {
    redirect: 'manual',
    headers: {
      Cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    },
  })
  recordCoverage(api.sso.callback, response.status === 303 ? 'success' : String(response.status))
  const location = new URL(response.headers.get('Location') ?? `http://none/${id}`)
  if (location.href.split('?')[0] !== `${server.config.publicUrl}/sso`) throw new Error(`Led to ${location.href}`)
  const pairs = response.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])
  const set = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
  const { searchParams } = location
  return {
    ticket: searchParams.get('ticket') ?? '',
    error: searchParams.get('error'),
    cookies: { ...cookies, ...set },
    headers: response.headers,
  }
}

async function finishWith(
  server: TestServer,
  { ticket, cookies }: ReceivedCallback,
  entered: { totp_token?: string; password?: string } = {},
) {
  return server.call(api.sso.finish, { body: { ticket, ...entered }, cookies })
}

/** Returns the settings of a provider with the contract's defaults. */
export function inputOf(oidc: Pick<TestOidcProvider, 'issuer' | 'clientId' | 'clientSecret'>): OidcInput {
  return {
    kind: 'oidc',
    name: 'Test provider',
    issuer: oidc.issuer,
    client_id: oidc.clientId,
    client_secret: oidc.clientSecret,
  }
}
