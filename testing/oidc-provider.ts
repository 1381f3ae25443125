// oxlint-disable-next-line typescript/triple-slash-reference -- programs that do not include this folder, such as web/e2e, need the types too
/// <reference path="./oidc-provider-types.d.ts" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider, type ProviderContext } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import { signInWithoutBrowser } from './oidc-sign-in.ts'

/** What the provider knows about a person. */
export interface OidcPerson {
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
  groups: string[]
  /** How the person authenticated (RFC 8176). */
  amr: string[]
}

type Claims = JWTPayload & Record<string, unknown>

export interface TestOidcProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /**
   * People by the user name typed on the login page. Any other name works too: `nadia` is nadia@example.org, verified, in no group, signed
   * in with only a password.
   */
  people: Map<string, Partial<OidcPerson>>
  /** Requested paths, in order. */
  requests: string[]
  /** Registers the addresses that the application shows once the provider is stored there. */
  register(addresses: { redirectUri: string; afterSignOut: string; logoutUri: string }): void
  /** Signs in on the login page and returns the address that the browser is then sent to, with code and state. */
  signIn(startAddress: string, username: string): Promise<URL>
  /** Changes the claims of the next ID token; `withUnknownKey` signs it with a key that the provider does not publish. */
  alterNextIdToken(alter: (claims: Claims) => Claims, options?: { withUnknownKey?: boolean }): void
  /** Signs a token as the provider does, such as a logout token. */
  sign(claims: Claims, options?: { withUnknownKey?: boolean }): Promise<string>
  /** Replaces the key that the provider signs with and publishes. */
  rotateKey(): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** Default 0: any free port. */
  port?: number
  /** Whether only the userinfo endpoint returns e-mail, names and groups. Default false. */
  hasClaimsInUserinfo?: boolean
}

const clientId = 'awaz'
const clientSecret = 'secret-of-the-application'

/** Starts a real OpenID provider on 127.0.0.1, with a login page that asks only for a user name. */
export async function startOidcProvider({
  port = 0,
  hasClaimsInUserinfo = false,
}: Options = {}): Promise<TestOidcProvider> {
  const people: TestOidcProvider['people'] = new Map()
  const requests: string[] = []
  let addresses = {
    redirectUri: 'http://localhost/none',
    afterSignOut: 'http://localhost/none',
    logoutUri: 'http://localhost/none',
  }
  const unknownKey = await createKey()
  let key = await createKey()
  let alteration: { alter: (claims: Claims) => Claims; key: SigningKey | undefined } | undefined
  let provider: Provider

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    requests.push(path)
    if (path.startsWith('/interaction/')) void answerLogin(request, response)
    else void provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`

  function personOf(username: string): OidcPerson {
    const defaults = {
      email: `${username}@example.org`,
      email_verified: true,
      given_name: username,
      family_name: 'Person',
    }
    return { ...defaults, groups: [], amr: ['pwd'], ...people.get(username) }
  }

  /** The configuration is immutable, so another key or client needs another provider; what was issued stays in its store. */
  function createProvider(): Provider {
    const created = new Provider(issuer, {
      adapter: (name: string) => new MemoryAdapter(name),
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [addresses.redirectUri],
          post_logout_redirect_uris: [addresses.afterSignOut],
          backchannel_logout_uri: addresses.logoutUri,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key.jwk] },
      cookies: { keys: ['a key for the cookies of a test'] },
      claims: {
        openid: ['sub', 'amr'],
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name', 'groups'],
      },
      conformIdTokenClaims: hasClaimsInUserinfo,
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true, logoutSource: showSignOut },
      },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
      findAccount: (_ctx: unknown, accountId: string) => {
        const { amr: _amr, ...claims } = personOf(accountId)
        return { accountId, claims: () => ({ sub: accountId, ...claims }) }
      },
      interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
      loadExistingGrant: (ctx: ProviderContext) => grantAll(created, ctx),
    })
    created.use(async (ctx, next) => {
      await next()
      if (ctx.path === '/token' && alteration) await replaceIdToken(ctx)
    })
    return created
  }

  async function replaceIdToken(ctx: ProviderContext): Promise<void> {
    const body = ctx.body as { id_token?: string } // the provider's token response
    if (!body.id_token || !alteration) return
    const altered = alteration.alter(decodeJwt(body.id_token))
    const signingKey = alteration.key ?? key
    alteration = undefined
    ctx.body = { ...body, id_token: await signWith(signingKey, altered) }
  }

  async function answerLogin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(loginPage)
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const form = new URLSearchParams(body)
    const username = form.get('username') ?? ''
    const isCancelled = form.get('action') === 'cancel'
    const result = isCancelled
      ? { error: 'access_denied' }
      : { login: { accountId: username, amr: personOf(username).amr } }
    await provider.interactionFinished(request, response, result)
  }

  provider = createProvider()

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    requests,
    register(registered) {
      addresses = registered
      provider = createProvider()
    },
    signIn: signInWithoutBrowser,
    alterNextIdToken(alter, { withUnknownKey = false } = {}) {
      alteration = { alter, key: withUnknownKey ? unknownKey : undefined }
    },
    sign: (claims, { withUnknownKey = false } = {}) => signWith(withUnknownKey ? unknownKey : key, claims),
    async rotateKey() {
      key = await createKey()
      provider = createProvider()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type SigningKey = Awaited<ReturnType<typeof createKey>>
let keyCount = 0

async function createKey() {
  keyCount += 1
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = `key-${keyCount}`
  return { privateKey, kid, jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' } }
}

function signWith({ privateKey, kid }: SigningKey, claims: Claims): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

/** Grants everything that the application asks for, so that no consent page is shown. */
async function grantAll(provider: Provider, ctx: ProviderContext) {
  const { clientId: forClient } = ctx.oidc.client
  const grant = new provider.Grant({ accountId: ctx.oidc.session.accountId, clientId: forClient })
  grant.addOIDCScope([...ctx.oidc.requestParamScopes].join(' '))
  await grant.save()
  return grant
}

async function showSignOut(ctx: ProviderContext, form: string): Promise<void> {
  ctx.body = page(`${form}<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>`)
}

const loginPage = page(`<form method="post">
  <label>User name <input name="username" autofocus /></label>
  <button type="submit" name="action" value="login">Sign in</button>
  <button type="submit" name="action" value="cancel">Cancel</button>
</form>`)

function page(content: string): string {
  return `<!doctype html><html lang="en"><head><title>Test provider</title></head><body><h1>Test provider</h1>${content}</body></html>`
}
