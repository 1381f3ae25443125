import { appendFileSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { listEndpoints } from '#contract/api.ts'
import type { BodyInput, EndpointSpec, Params, QueryInput, Response } from '#contract/endpoint.ts'
import type { Role } from '#contract/entities/user.ts'
import { ErrorBody } from '#contract/errors.ts'
import { watchActivity, type ActivityIntervals } from '#data/activity.ts'
import { readConfig, type Config } from '#data/config.ts'
import { databaseName } from '#data/connect.ts'
import { createOutageHooks } from '#data/outage-log.ts'
import { createApp } from '#server/app.ts'
import { createHttpServer } from '#server/http/http-server.ts'
import { createHashPool } from '#server/security/hash-pool.ts'
import { buildServices, type Services } from '#server/services.ts'
import { createTestDatabase, openTestDatabase } from './database.ts'
import { apiCoverageFolder } from './records.ts'
import { openRememberingProbe } from './remembering-probe.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

interface CallInput<Spec extends EndpointSpec> {
  params?: Params<Spec>
  query?: QueryInput<Spec>
  body?: BodyInput<Spec>
  /** Binary request body. */
  rawBody?: Uint8Array<ArrayBuffer>
  /** Access token, sent as a bearer token. */
  token?: string | undefined
  headers?: Record<string, string>
  /** Values by name, sent unchanged. */
  cookies?: Record<string, string>
}

export interface CallResult<Spec extends EndpointSpec> {
  status: number
  headers: Headers
  /** Value of each cookie that the response set; empty if it cleared the cookie. */
  cookies: Record<string, string>
  /** The parsed response. Throws with the text of the error when the call failed. */
  readonly data: Response<Spec>
  /** The error's body. Throws when the call succeeded. */
  readonly error: ErrorBody
  /** The response body as received. */
  raw: unknown
}

export interface TestUser {
  id: string
  email: string
  username: string
  password: string
}

export interface SignedInUser extends TestUser {
  accessToken: string
  refreshToken: string
}

interface CreateUserOptions {
  role?: Role
  isVerified?: boolean
  isActive?: boolean
  email?: string
  username?: string
  password?: string
  mustChangePassword?: boolean
  hasTwoFactorGrace?: boolean
}

export interface TestServer {
  url: string
  config: Config
  clock: TestClock
  services: Services
  /** Address of the server's own database, name included. */
  databaseUri: string
  /** Lines of the server's log, newest last. */
  logLines: string[]
  call<const Spec extends EndpointSpec>(spec: Spec, input?: CallInput<Spec>): Promise<CallResult<Spec>>
  /** Creates a user without a session: role user, active and verified by default. */
  createUser(options?: CreateUserOptions): Promise<TestUser>
  /** Creates a user with a session. */
  createSignedIn(options?: CreateUserOptions): Promise<SignedInUser>
  close(): Promise<void>
}

export interface TestServerOptions {
  /** An existing data folder and database, which are kept. Default: new ones. */
  data?: { dataDir: string; uri: string; dbName: string }
  /** Intervals at which the server checks for activity. */
  activity?: ActivityIntervals
  /** Default 0. */
  maxMailDelayMs?: number
  /** For tests of the measurement itself and of what happens during it. Default: this process remembers files that it has measured. */
  isEachUploadMeasured?: boolean
  /** Settings for commands that the server runs, besides DATA_DIR and MODELS_DIR. MONGODB_URI is that of the server's database. */
  commandEnv?: NodeJS.ProcessEnv
  config?: Partial<Omit<Config, 'rates' | 'http'>> & {
    rates?: Partial<Config['rates']>
    http?: Partial<Config['http']>
  }
}

const generousRates: Config['rates'] = {
  signInPerMinute: 100_000,
  signUpPerHour: 100_000,
  mailPerHour: 100_000,
  mailPerAccountHour: 100_000,
  resendPerMinute: 100_000,
  refreshPerMinute: 100_000,
  uploadPerHour: 100_000,
  callsPerMinute: 1_000_000,
}
let userCount = 0
/** Shared by all servers of this process; otherwise each would start a thread for its first password. */
const hashPool = createHashPool({ threads: 2 })

/**
 * Starts the real application on port 0 with its own database and data folder, a clock that tests advance, cheap password hashes
 * (bcrypt cost 4), mails without delay, no required two-factor and very high rate limits. Options override any setting.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { data } = options
  const dataDir = data?.dataDir ?? (await mkdtemp(join(tmpdir(), 'awaz-data-')))
  const database = data ? await openTestDatabase(data) : await createTestDatabase()
  const { rates, http, ...settings } = options.config ?? {}
  const audioStore = process.env.AWAZ_TEST_AUDIO_STORE
  const defaults = readConfig({ DATA_DIR: dataDir, MONGODB_URI: database.uri, AUDIO_STORE: audioStore })
  const config: Config = {
    ...defaults,
    bcryptCost: 4,
    signIn: { two_factor_policy: 'nobody' },
    ...settings,
    http: { ...defaults.http, ...http },
    rates: { ...generousRates, ...rates },
  }
  const clock = createTestClock()
  const logLines: string[] = []
  const closed = new AbortController()
  const hooks = createOutageHooks({ database: () => database, log: () => log, closed: closed.signal })
  const log: Logger = pino({ level: 'info', hooks }, { write: (line) => void logLines.push(line) })
  const activity = watchActivity(database.connection, options.activity && { intervals: options.activity })
  const services = await buildServices({
    config,
    database,
    activity,
    clock,
    log,
    hashPool,
    maxMailDelayMs: options.maxMailDelayMs ?? 0,
    commandEnv: { ...process.env, MONGODB_URI: withName(database.uri, database.dbName), ...options.commandEnv },
    ...(!options.isEachUploadMeasured && { probe: openRememberingProbe({ maxDurationMs: config.maxAudioMs }) }),
  })
  const server = createHttpServer(createApp(services).callback(), {
    limits: config.http,
    trustProxyHops: config.trustProxyHops,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  async function createUser(user: CreateUserOptions = {}): Promise<TestUser> {
    userCount += 1
    const password = user.password ?? 'Harvest-moon7'
    const email = user.email ?? `person${userCount}@example.org`
    const created = await services.users.create({
      email,
      username: user.username ?? `person${userCount}`,
      password,
      firstName: 'Test',
      lastName: `Person ${userCount}`,
      role: user.role ?? 'user',
      isActive: user.isActive ?? true,
      isVerified: user.isVerified ?? true,
      mustChangePassword: user.mustChangePassword ?? false,
      hasTwoFactorGrace: user.hasTwoFactorGrace ?? false,
    })
    return { id: created.id, email, username: created.username, password }
  }

  async function createSignedIn(user: CreateUserOptions = {}): Promise<SignedInUser> {
    const created = await createUser(user)
    const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
    const session = await services.sessions.start({ userId: created.id, isRemembered: false, isBrowser: false, origin })
    return { ...created, accessToken: session.accessToken, refreshToken: session.refreshToken }
  }

  async function close(): Promise<void> {
    closed.abort()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await services.close()
    activity.close()
    await (data ? database.close() : database.drop())
    if (!data) await rm(dataDir, { recursive: true, force: true })
  }

  return {
    url,
    config,
    clock,
    services,
    databaseUri: withName(database.uri, database.dbName),
    logLines,
    call: (spec, input) => callEndpoint({ url, logLines }, spec, input),
    createUser,
    createSignedIn,
    close,
  }
}

/** Starts a second server with the database and data folder of another. It is closed before the first one. */
export function startSecondServer(
  { config, databaseUri }: Pick<TestServer, 'config' | 'databaseUri'>,
  options: Omit<TestServerOptions, 'data'> = {},
): Promise<TestServer> {
  return startTestServer({
    ...options,
    data: { dataDir: config.dataDir, uri: databaseUri, dbName: databaseName(databaseUri) },
  })
}

function withName(uri: string, dbName: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/]+)(?:\/[^?]*)?/, `$1/${dbName}`)
}

async function callEndpoint<const Spec extends EndpointSpec>(
  { url, logLines }: Pick<TestServer, 'url' | 'logLines'>,
  spec: Spec,
  input: CallInput<Spec> = {},
): Promise<CallResult<Spec>> {
  const response = await fetch(new URL(pathOf(spec, input), url), {
    method: spec.method,
    headers: {
      ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(input.token && { Authorization: `Bearer ${input.token}` }),
      ...(input.cookies && {
        Cookie: Object.entries(input.cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
      }),
      ...input.headers,
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input.rawBody && { body: input.rawBody }),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
  const raw: unknown = isJson ? JSON.parse(text) : text
  const failure = response.ok ? undefined : ErrorBody.safeParse(raw).data
  const cause = response.status === 500 ? `\n${logLines.findLast((line) => line.includes('"err"')) ?? ''}` : ''
  recordCoverage(spec, response.ok ? 'success' : (failure?.code ?? String(response.status)))
  return {
    status: response.status,
    headers: response.headers,
    cookies: readCookies(response),
    raw,
    get data() {
      if (!response.ok)
        throw new Error(`${spec.method} ${spec.path} responded with ${response.status}: ${text}${cause}`)
      return spec.response.parse(raw) as Response<Spec> // parsed by the schema the type is derived from
    },
    get error() {
      if (failure) return failure
      throw new Error(
        `${spec.method} ${spec.path} responded with ${response.status}, not an error: ${text.slice(0, 500)}`,
      )
    },
  }
}

function pathOf<Spec extends EndpointSpec>(spec: Spec, input: CallInput<Spec>): string {
  const params = Object.entries(input.params ?? {})
  const path = params.reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
    spec.path,
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}

function readCookies(response: globalThis.Response): Record<string, string> {
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') ?? [])
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')]))
}

const namesBySpec = new Map<EndpointSpec, string>(listEndpoints().map(({ name, spec }) => [spec, name]))

/** Records the outcome of a call, for the check that every endpoint and every error that it declares has a test. */
export function recordCoverage(spec: EndpointSpec, outcome: string): void {
  if (!process.env.AWAZ_API_COVERAGE) return
  mkdirSync(apiCoverageFolder, { recursive: true })
  const line = JSON.stringify({ endpoint: namesBySpec.get(spec) ?? `${spec.method} ${spec.path}`, outcome })
  appendFileSync(join(apiCoverageFolder, `${process.pid}.ndjson`), `${line}\n`)
}
