import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type Config } from '#data/config.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { version } from '#data/version.ts'
import { insertWebhook } from '#data/webhooks/webhooks.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { createSealer } from '#server/security/sealer.ts'
import { enableTwoFactor } from '#testing/accounts.ts'
import { createDirectoryProviders } from '#testing/directory-provider.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { startOidcProvider } from '#testing/oidc-provider.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { backUpToFolder } from '../../backup/create/create-backup.ts'
import { recordAudit } from '../../backup/commands/audit.ts'
import { optionsFor, storeRecording } from '../../backup/testing/instance.ts'
import { api } from '#contract/api.ts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { databaseChecks, hostChecks } from '../checks.ts'
import type { DatabaseContext } from '../context.ts'
import { setDatabaseTime } from './database-clock.ts'
import type { Finding } from '../finding.ts'
import { runChecks } from '../run-checks.ts'

/** A complete instance: server, data folder with its embedded database, users, recordings, a provider, a webhook and backups. */
export interface DoctorInstance {
  server: TestServer
  dataDir: string
  config: Config
  /** The recordings, in the order in which they were stored. */
  recordings: { id: string; path: string }[]
  ownerId: string
  backupDir: string
  /** Sets the clock of the database: see database-clock.ts. */
  clockFile: string
  restoreIndexes(): Promise<void>
  /** Adds an enabled directory at an address. Returns a function that removes it. */
  addDirectory(url: string, overrides?: Partial<LdapProviderInput>): Promise<() => Promise<void>>
  collection(name: string): ReturnType<TestServer['services']['database']['connection']['collection']>
  /** Runs the checks that can report one of the codes, or all checks where none is given. */
  examine(options?: ExamineOptions): Promise<Finding[]>
  close(): Promise<void>
}

export interface ExamineOptions extends Partial<
  Pick<DatabaseContext, 'isThorough' | 'isFixing' | 'isRunning' | 'env' | 'now'>
> {
  codes?: string[]
  config?: Partial<Config>
  /** Default true. */
  hasEngine?: boolean
}

export async function openDoctorInstance(): Promise<DoctorInstance> {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-doctor-'))
  await mkdir(join(dataDir, 'db'), { mode: 0o700 })
  const runtimeDir = await makeRuntimeFolder()
  const socketPath = join(runtimeDir, 'db.sock')
  const clockFile = join(runtimeDir, 'clock')
  await setDatabaseTime(clockFile, 0)
  const engine = await startEmbeddedDatabase({ dataFile: join(dataDir, 'db', 'awaz.sqlite'), socketPath, clockFile })
  const server = await startTestServer({ data: { dataDir, uri: engine.uri, dbName: 'awaz' } })
  const { connection } = server.services.database

  const { id: ownerId, accessToken } = await server.createSignedIn()
  await enableTwoFactor(server, accessToken)
  const recordings: DoctorInstance['recordings'] = []
  for (let n = 0; n < 6; n++) {
    const id = await storeRecording(server, ownerId, randomBytes(2_000 + n))
    recordings.push({ id, path: join(dataDir, 'audio', id.slice(-2), `${id}.wav`) })
  }
  const oidc = await startOidcProvider()
  const directories = await createDirectoryProviders(server)
  await storeProvider(server, directories.token, oidc)
  await storeWebhook(server, ownerId)
  const backupDir = await mkdtemp(join(tmpdir(), 'awaz-doctor-backups-'))
  await backUp(server, backupDir)

  await mkdir(join(dataDir, 'models'))
  const config: Config = {
    ...server.config,
    modelsDir: join(dataDir, 'models'),
    ...readBackupSettings(dataDir, backupDir),
    port: Number(new URL(server.url).port),
    publicUrl: server.url,
    isPublicUrlSet: true,
  }

  async function examine({ codes, config: changed = {}, hasEngine = true, ...options }: ExamineOptions = {}) {
    if (hasEngine) await recordHeartbeat(connection, 'engine', makeHeartbeat({}, { version }))
    const context: DatabaseContext = {
      config: { ...config, ...changed },
      env: { PATH: process.env.PATH },
      connection,
      isRunning: true,
      isThorough: false,
      isFixing: false,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      now: () => new Date(),
      ...options,
    }
    const isWanted = ({ findings }: { findings: object }) => !codes || codes.some((code) => code in findings)
    return [
      ...(await runChecks(hostChecks.filter(isWanted), context)),
      ...(await runChecks(databaseChecks.filter(isWanted), context)),
    ]
  }

  async function close() {
    await server.close()
    await oidc.close()
    await engine.stop()
    for (const folder of [dataDir, backupDir, runtimeDir]) await rm(folder, { recursive: true, force: true })
  }

  return {
    server,
    dataDir,
    config,
    recordings,
    ownerId,
    backupDir,
    clockFile,
    restoreIndexes: () => ensureIndexes(connection),
    async addDirectory(url, overrides) {
      await directories.add(url, overrides)
      return directories.removeAll
    },
    collection: (name) => connection.collection(name),
    examine,
    close,
  }
}

function readBackupSettings(dataDir: string, backupDir: string): Pick<Config, 'backup'> {
  const { backup } = readConfig({
    DATA_DIR: dataDir,
    BACKUP_DIR: backupDir,
    BACKUP_TIME: '02:00',
    BACKUP_PASSPHRASE: 'correct horse battery staple',
  })
  return { backup }
}

async function storeProvider(
  server: TestServer,
  token: string,
  { issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string },
): Promise<void> {
  const body = { kind: 'oidc' as const, name: 'Provider', issuer, client_id: clientId, client_secret: clientSecret }
  await server.call(api.signInAdmin.createProvider, { token, body })
}

async function storeWebhook(server: TestServer, ownerId: string): Promise<void> {
  const { database, secrets } = server.services
  const id = newId()
  const sealedSecret = createSealer(secrets.webhooks).seal('whsec_test', id)
  const webhook = {
    id,
    ownerId,
    url: 'https://hooks.example.org/awaz',
    events: ['alert.raised' as const],
    sealedSecret,
  }
  await insertWebhook(database.connection, webhook)
}

/** Makes a backup, and leaves the entries that the commands write. */
async function backUp(server: TestServer, folder: string): Promise<void> {
  const { uri, dbName } = optionsFor(server)
  await backUpToFolder(folder, optionsFor(server))
  for (const action of ['backup.create', 'backup.rehearse'] as const)
    await recordAudit({ uri, dbName }, { action, outcome: 'success', details: '' })
}
