import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Context } from 'koa'
import { AppError } from '#contract/app-error.ts'
import { requiredApiKeyScope } from '#contract/api-key-scopes.ts'
import {
  type Body,
  type EndpointSpec,
  type HeavyRead,
  needsConfirmation,
  type Params,
  type Query,
} from '#contract/endpoint.ts'
import type { AppContext, AppRouter, AuthSession, AuthUser, Principal, RequestOrigin } from './context.ts'
import { EncodedJson } from './encoded-json.ts'
import { beginHeavyRead, type TakeTurn } from './heavy-turns.ts'
import { readJsonBody } from './json-body.ts'
import { parseInput } from './parse.ts'
import { allowLongBody } from './slow-bodies.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Smaller responses fit into one or two packets, compressed or not. */
const minCompressedBytes = 2_048
/** Takes about as long as gzip and produces a quarter less. */
const brotliQuality = 5

/**
 * Sends an object as JSON, compressed if it is large and the client accepts it. Not for responses that a browser requests with a cookie,
 * because another site could guess their content from their size (BREACH).
 */
async function sendJson(ctx: Context, value: object): Promise<void> {
  const json = value instanceof EncodedJson ? value.bytes : Buffer.from(JSON.stringify(value))
  ctx.type = 'json'
  ctx.vary('Accept-Encoding')
  const encoding = json.length < minCompressedBytes ? undefined : chooseEncoding(ctx)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = await encode(json, encoding)
}

type Encoding = 'br' | 'gzip' | undefined

/** Chooses Brotli whenever it is accepted, although browsers list gzip first. */
function chooseEncoding(ctx: Context): Encoding {
  return (['br', 'gzip'] as const).find((encoding) => ctx.acceptsEncodings(encoding, 'identity') === encoding)
}

async function encode(json: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return compressBrotli(json, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  return encoding === 'gzip' ? compressGzip(json) : json
}

interface RouteInput<Spec extends EndpointSpec> {
  params: Params<Spec>
  query: Query<Spec>
  body: Body<Spec>
  user: Spec['access'] extends 'public' ? undefined : AuthUser
  session: Spec['access'] extends 'public' ? undefined : AuthSession
  origin: RequestOrigin
  log: Logger
  /** Runs a part of the work at the caller's turn, in an endpoint that is heavy in `parts`. */
  takeTurn: Spec extends { heavy: 'parts' } ? TakeTurn : undefined
  /** Aborts when the caller of a heavy read disconnects. */
  signal: Spec extends { heavy: HeavyRead } ? AbortSignal : undefined
  /** For headers, cookies, and the transports that write the response themselves. */
  ctx: AppContext
}

type ResponseInput<Spec extends EndpointSpec> = Spec extends { transport: 'audio' | 'events' | 'file' }
  ? void
  : z.input<Spec['response']>

interface RouteOptions {
  /** Reads the token of the audio cookie, which is used if there is no bearer header, because `<audio>` sends none. */
  readAudioCookie?: (ctx: AppContext) => string | undefined
  /** Excludes the endpoint from the general rate limit: health checks, and endpoints with their own limit. */
  isUncounted?: boolean
}

const ranks = { user: 0, admin: 1, super_admin: 2 }
const roleNames = { user: '', admin: 'admin', super_admin: 'super admin' }

/**
 * Serves one endpoint of the contract: authenticates the caller, enforces the general rate limit, the gate, the role and the
 * confirmation required for administration, parses params, query and body, and strips the response to its schema. With transport
 * `audio`, `events` or `file`, the handler writes to `ctx` itself; with `multipart` and `bytes`, it reads the request itself. A `heavy`
 * endpoint waits for the caller's turn.
 */
export function route<const Spec extends EndpointSpec>(
  router: AppRouter,
  spec: Spec,
  handler: (input: RouteInput<Spec>) => Promise<ResponseInput<Spec> | EncodedJson>,
  options: RouteOptions = {},
): void {
  router.register(spec.path, [spec.method], async (ctx: AppContext) => {
    ctx.state.endpoint = spec.path
    const principal = spec.access === 'public' ? undefined : await requirePrincipal(ctx, options)
    if (!options.isUncounted)
      ctx.state.guards.countCall(principal ? `user:${principal.user.id}` : `ip:${ctx.state.origin.ip}`)
    // After the rate limit, because denials are written to the audit trail, which must not be flooded.
    if (principal) await requireAccess(ctx, spec, principal)
    // The sender of a body to a public endpoint is unknown, so the usual time limit applies.
    if (principal && (spec.transport === 'multipart' || spec.transport === 'bytes')) allowLongBody(ctx.req)
    const turns = principal && spec.heavy && beginHeavyRead(ctx, spec, principal.user.id)
    const input = {
      params: spec.params && parseInput(spec.params, ctx.params),
      query: spec.query && parseInput(spec.query, { ...ctx.query }),
      body: spec.body && parseInput(spec.body, await readJsonBody(ctx, spec)),
      user: principal?.user,
      session: principal?.session,
      origin: ctx.state.origin,
      log: ctx.state.log,
      takeTurn: turns?.takeTurn,
      signal: turns?.signal,
      ctx,
    } as RouteInput<Spec> // each part was parsed by the schema its type is derived from
    if (turns && spec.heavy === 'whole') {
      await turns.takeTurn(async () => respond(ctx, spec, await handler(input)))
      return
    }
    const result = await handler(input)
    await (turns ? turns.present(() => respond(ctx, spec, result)) : respond(ctx, spec, result))
  })
}

async function respond(ctx: AppContext, spec: EndpointSpec, result: unknown): Promise<void> {
  if (spec.transport === 'audio' || spec.transport === 'events' || spec.transport === 'file') return
  if (ctx.status === 404) ctx.status = spec.status ?? 200
  const response = presentResponse(spec, result)
  // All but public endpoints require a bearer token, so no other site can request their responses.
  if (spec.access !== 'public' && typeof response === 'object' && response !== null) await sendJson(ctx, response)
  else ctx.body = response
}

async function requirePrincipal(ctx: AppContext, options: RouteOptions): Promise<Principal> {
  const bearer = readBearer(ctx)
  const token = bearer ?? options.readAudioCookie?.(ctx)
  if (!token) throw new AppError('session_missing', 'Authentication required')
  const principal = await ctx.state.guards.authenticate(token, bearer ? 'api' : 'audio', ctx.state.origin)
  if (!principal) throw new AppError('session_expired', 'Token has expired')
  ctx.state.principal = principal
  return principal
}

async function requireAccess(ctx: AppContext, spec: EndpointSpec, principal: Principal): Promise<void> {
  const { user, session, apiKeyScope } = principal
  ctx.state.guards.enforceGate(user, spec)
  if (apiKeyScope) await requireScope(ctx, spec, { user, apiKeyScope })
  const required = spec.access === 'public' ? 'user' : spec.access
  if (ranks[user.role] < ranks[required]) {
    await ctx.state.guards.recordDenial(user, spec, ctx.state.origin)
    throw new AppError('forbidden', `You need ${roleNames[required]} privileges to access this page.`)
  }
  if (needsConfirmation(spec)) ctx.state.guards.requireConfirmation(session)
}

async function requireScope(
  ctx: AppContext,
  spec: EndpointSpec,
  { user, apiKeyScope }: Required<Pick<Principal, 'user' | 'apiKeyScope'>>,
): Promise<void> {
  const required = requiredApiKeyScope(spec)
  if (required === 'read' || (required !== null && required === apiKeyScope)) return
  await ctx.state.guards.recordDenial(user, spec, ctx.state.origin)
  if (required === null) throw new AppError('forbidden', 'API keys are not accepted here. Please sign in.')
  throw new AppError('forbidden', 'This API key may only read. Please use one that may write too.')
}

/** Returns the bearer token of a request, or undefined. */
export function readBearer(ctx: Pick<AppContext, 'get'>): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
}

function presentResponse(spec: EndpointSpec, result: unknown): unknown {
  if (result instanceof EncodedJson) return result
  const parsed = spec.response.safeParse(result)
  if (parsed.success) return parsed.data
  const paths = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new Error(`The response of ${spec.method} ${spec.path} does not match the contract: ${paths}`)
}
