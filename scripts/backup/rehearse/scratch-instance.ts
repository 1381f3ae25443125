import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pino } from 'pino'
import { systemClock } from '#data/clock.ts'
import { readConfig, type Config } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { createApp } from '#server/app.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { createHttpServer } from '#server/http/http-server.ts'
import { systemOrigin } from '#server/features/audit/service.ts'
import { buildServices, type Services } from '#server/services.ts'

interface CallOptions {
  body?: unknown
  /** Sent as multipart/form-data instead of a body. */
  form?: FormData
  token?: string
  /** Whether a request that starts a job is answered immediately, with the job's id (RFC 7240). */
  isAsync?: boolean
}

export interface ScratchInstance {
  uri: string
  config: Config
  /** What runs the jobs of the instance. */
  work: Pick<Services['work'], 'queue' | 'audioStore'>
  /** Sends a request to the instance. */
  call(method: string, path: string, options?: CallOptions): Promise<{ status: number; body: unknown }>
  /** Creates a user with a random password. */
  createUser(): Promise<{ email: string; password: string }>
  /** Starts a session for a user from the backup, and returns its access token. */
  startSession(userId: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts a server on a restored data folder, in this process, on a Unix socket that only this user can open. It ignores the settings of
 * this machine: it has no mail server, calls no webhook, watches no folder and runs no job by itself.
 */
export async function startScratchInstance(dataDir: string): Promise<ScratchInstance> {
  const runtimeDir = await makeRuntimeFolder()
  const engine = await startEmbeddedDatabase({
    dataFile: join(dataDir, 'db', 'awaz.sqlite'),
    socketPath: join(runtimeDir, 'db.sock'),
  })
  const stopDatabase = async () => {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
  try {
    const server = await startServer({ dataDir, uri: engine.uri, socketPath: join(runtimeDir, 'http.sock') })
    return { uri: engine.uri, ...server, stop: () => server.stop().finally(stopDatabase) }
  } catch (error) {
    await stopDatabase()
    throw error
  }
}

async function startServer({ dataDir, uri, socketPath }: { dataDir: string; uri: string; socketPath: string }) {
  const config = readConfig({
    DATA_DIR: dataDir,
    MODELS_DIR: join(dataDir, 'models'),
    MONGODB_URI: uri,
    OFFLINE: 'true',
    GATE_REQUIRES_2FA: 'false',
    UPGRADE_WITHOUT_RESTORE_POINT: 'true',
  })
  const database = await connectDatabase({ mongodbUri: uri })
  const services = await buildServices({ config, database, clock: systemClock, log: pino({ level: 'silent' }) })
  const server = createHttpServer(createApp(services).callback(), { limits: config.http, trustProxyHops: 0 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })

  async function createUser() {
    const name = `rehearsal-${randomUUID().slice(0, 8)}`
    const [email, password] = [`${name}@awaz.local`, randomBytes(18).toString('base64url')]
    const state = { isActive: true, isVerified: true, mustChangePassword: false, hasTwoFactorGrace: true }
    const names = { username: name, firstName: '', lastName: '' }
    await services.users.create({ email, password, role: 'user', ...names, ...state })
    return { email, password }
  }

  async function startSession(userId: string): Promise<string> {
    const options = { isRemembered: false, isBrowser: false, origin: systemOrigin, hasProvenSecondFactor: true }
    return (await services.sessions.start({ userId, ...options })).accessToken
  }

  async function stop(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await services.close()
    await database.close()
  }

  return { config, work: services.work, createUser, startSession, stop, call: callOver(socketPath) }
}

function callOver(socketPath: string): ScratchInstance['call'] {
  return async (method, path, { body, form, token, isAsync } = {}) => {
    // Encodes both kinds of body, with the matching header.
    const content = new Response(form ?? (body === undefined ? null : JSON.stringify(body)))
    const bytes = Buffer.from(await content.arrayBuffer())
    const type = form ? content.headers.get('Content-Type') : 'application/json'
    const headers = {
      ...(content.body && { 'Content-Type': type ?? '', 'Content-Length': bytes.length }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(isAsync && { Prefer: 'respond-async' }),
    }
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath, method, path, headers }, (response) => {
        json(response).then((parsed) => resolve({ status: response.statusCode ?? 0, body: parsed }), reject)
      })
      sent.once('error', reject).end(bytes)
    })
  }
}
