import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { ApiKeyScope } from '#contract/entities/api-key.ts'
import { expectedKeyScopes as scopes } from '#testing/key-scopes.ts'
import { probeEndpoint } from '#testing/probe-endpoint.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

// Every endpoint of the contract for every kind of API key.
const callers = ['read', 'write', 'expired', 'revoked', 'must change password', 'deactivated'] as const
type Caller = (typeof callers)[number]

let server: TestServer
/** API keys of super admins: a refusal is due to the key, not to the owner's role. */
const tokens: Partial<Record<Caller, string>> = {}
let strangersRecording: string

beforeAll(async () => {
  server = await startTestServer()
  for (const caller of callers) tokens[caller] = await createToken(caller)
  const stranger = await server.createSignedIn()
  strangersRecording = await uploadDialogue(server, stranger.accessToken)
})
afterAll(() => server.close())

async function createToken(caller: Caller): Promise<string> {
  const owner = await server.createSignedIn({ role: 'super_admin' })
  const { key, token } = await createKey(owner, caller === 'read' ? 'read' : 'write', caller === 'expired' ? -1 : 1)
  if (caller === 'revoked')
    await server.call(api.integrations.revokeKey, { params: { id: key.id }, token: owner.accessToken })
  if (caller === 'must change password') await server.services.users.update(owner.id, { mustChangePassword: true })
  if (caller === 'deactivated') await server.services.users.update(owner.id, { isActive: false })
  return token
}

/** Creates a key without the route, which would refuse one that has already expired. */
async function createKey(owner: SignedInUser, scope: ApiKeyScope, days: number) {
  const newKey = { name: 'test', scope, expiresAt: new Date(server.clock.now() + days * 86_400_000) }
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  return server.services.apiKeys.create(await server.services.users.get(owner.id), newKey, origin)
}

/** Returns the expected refusal, or undefined where the key must be accepted. */
function refusalFor(spec: EndpointSpec, scope: string | undefined, caller: Caller) {
  if (scope === 'public') return undefined
  if (caller === 'expired' || caller === 'revoked' || caller === 'deactivated')
    return { status: 401, code: 'session_expired' }
  if (caller === 'must change password' && !spec.isOpenBehindGate)
    return { status: 403, code: 'password_change_required' }
  return scope === 'never' || (scope === 'write' && caller === 'read') ? { status: 403, code: 'forbidden' } : undefined
}

/** Public endpoints that read a session or a refresh token when the request has one. An API key is neither. */
const readsSession = ['auth.refresh', 'auth.resendVerification']
const refusals = ['session_missing', 'session_expired', 'password_change_required', 'forbidden']

test('the table names every endpoint', () => {
  const names = listEndpoints().map(({ name }) => name)
  expect(Object.keys(scopes).toSorted()).toEqual(names.toSorted())
})

test.each(callers)('each endpoint accepts or refuses a key: %s', async (caller) => {
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const { name, spec } of listEndpoints()) {
    const outcome = await probeEndpoint(server, spec, { token: tokens[caller] })
    const refusal = refusalFor(spec, scopes[name], caller)
    found[name] = refusal ? outcome : readsSession.includes(name) || !refusals.includes(outcome.code)
    expected[name] = refusal ?? true
  }
  expect(found).toEqual(expected)
})

const isAboutRecordings = (spec: EndpointSpec) => spec.path.startsWith('/api/recordings/:id')
const aboutRecordings = listEndpoints().filter(({ name, spec }) => isAboutRecordings(spec) && scopes[name] === 'read')

test("a key finds nothing of another user's recording", async () => {
  const statuses = await Promise.all(
    aboutRecordings.map(({ spec }) => probeEndpoint(server, spec, { token: tokens.write, id: strangersRecording })),
  )
  expect(statuses.map(({ status }) => status)).toEqual(aboutRecordings.map(() => 404))
})
