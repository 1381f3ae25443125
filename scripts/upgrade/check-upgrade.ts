import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from 'mongodb'
import { z } from 'zod'
import type { Config } from '#data/config.ts'
import { connectClient, connectDatabase, databaseName } from '#data/connect.ts'
import { readDataVersion } from '#data/data-version.ts'
import { createMigrationRecords } from '#data/migrations/migration-records.ts'
import { version } from '#data/version.ts'
import { settings } from '#data/settings.ts'
import { ifExists } from '#data/if-exists.ts'
import { openCliDatabase } from '../admin/database.ts'
import { countOf } from '../doctor/finding.ts'
import { checkRestorePoint } from './check-restore-point.ts'
import { findLeftBehind } from './left-behind.ts'
import { checkRelease } from './release-files.ts'
import { readUpgradeInfo, type MigrationInfo, type UpgradeInfo } from './upgrade-info.ts'
import { describeFiles, describeSignature } from './verify-release.ts'

/** Documents per second that a migration scans without changing them. Measured, and used for estimates. */
const passedPerSecond = 3000

interface CheckOptions {
  config: Config
  keyFile?: string | undefined
  /** Whether to inspect a release even if its signature has not been verified. */
  isUnsignedAccepted: boolean
}

const PackageFile = z.object({ engines: z.object({ node: z.string() }) })

/** Prints what an upgrade to the release in a folder would do; changes nothing. Returns 1 where it would fail. */
export async function checkUpgrade(folder: string, options: CheckOptions): Promise<number> {
  const { config, keyFile, isUnsignedAccepted } = options
  const release = await checkRelease(folder, { keyFile })
  const rows: [string, string][] = [['release', `${describeFiles(release)} ${describeSignature(release)}`]]
  const problems = release.problems.slice(0, 5)
  // What is incomplete or of unknown origin is neither read nor run.
  if (problems.length === 0 && release.signature !== 'valid' && !isUnsignedAccepted) problems.push(unknownMaker)
  if (problems.length === 0) problems.push(...(await describeUpgrade(folder, config, rows)))
  for (const [label, text] of rows) console.log(`${label.padEnd(16)}${text}`)
  for (const problem of problems) console.error(`Problem: ${problem}`)
  console.log(
    problems.length > 0 ? 'Do not upgrade yet.' : 'The upgrade can be made: stop Awaz, and start the new one.',
  )
  return problems.length > 0 ? 1 : 0
}

const unknownMaker =
  'Nothing shows who made it: give --key FILE with the public key of its maker, or --unsigned for one that you made yourself.'

/** Adds rows on the upgrade, and returns why it would fail. */
async function describeUpgrade(folder: string, config: Config, rows: [string, string][]): Promise<string[]> {
  const info = await readUpgradeInfo(folder)
  if (!info) return ['This Awaz cannot read its file upgrade.json: it is a much newer release, or none.']
  const data = await readData(config, info.migrations)
  rows.push(
    ['versions', `${version} to ${info.version}`],
    ['data', `version ${data.version} to ${info.dataVersion}`],
    ...(data.pending.length === 0 ? [['migrations', 'none'] satisfies [string, string]] : []),
    ...data.pending.map(({ name, matching }): [string, string] => [
      'migration',
      `${name}: ${countOf(matching, 'document')}`,
    ]),
  )
  const seconds = data.pending.reduce((sum, each) => sum + each.seconds, 0)
  if (data.pending.length > 0) rows.push(['time', `about ${describeSeconds(seconds)} in which nobody can work`])
  const problems = [
    ...(await findRuntimeProblems(folder)),
    ...findUnsupportedSettings(info, process.env),
    ...(await findLeftBehind(config, process.env)),
  ]
  if (data.version > info.dataVersion) {
    problems.push(`It is older than the data (version ${data.version}) and refuses it. Go back with a restore point.`)
  }
  if (data.restorePoint) rows.push(['restore point', data.restorePoint.plan])
  if (data.restorePoint?.problem !== undefined) problems.push(data.restorePoint.problem)
  return problems
}

interface PendingMigration {
  name: string
  /** Documents that it changes. */
  matching: number
  seconds: number
}

async function readData(config: Config, migrations: MigrationInfo[]) {
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  // Without the time limit of the product's connection: counting reads whole collections.
  const client = await connectClient(uri)
  const database = await connectDatabase({ mongodbUri: uri })
  try {
    const { connection } = database
    const pending: PendingMigration[] = []
    for (const migration of await createMigrationRecords(connection).listPending(migrations)) {
      pending.push(await estimate(client.db(databaseName(uri)), migration))
    }
    const restorePoint = pending.length > 0 ? await checkRestorePoint(connection, config) : undefined
    return { version: await readDataVersion(connection), pending, restorePoint }
  } finally {
    await database.close()
    await client.close()
    await stop()
  }
}

async function estimate(db: Db, { name, collection, filter, documentsPerSecond }: MigrationInfo) {
  const matching = await db.collection(collection).countDocuments(filter)
  const total = await db.collection(collection).estimatedDocumentCount()
  return { name, matching, seconds: total / passedPerSecond + matching / documentsPerSecond }
}

function describeSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`
}

/** Returns a sentence for each setting of this installation that the release no longer supports, as it would refuse to start. */
export function findUnsupportedSettings(info: Pick<UpgradeInfo, 'settings'>, env: NodeJS.ProcessEnv): string[] {
  const known = new Set(info.settings)
  const used = Object.keys(settings).filter((name) => env[name] || env[`${name}_FILE`])
  const forgotten = used.filter((name) => !known.has(name))
  return forgotten.map(
    (name) => `It does not know the setting ${name}, which is set. CHANGELOG.md says what became of it.`,
  )
}

/**
 * Returns why this machine cannot run the release in a folder: it has a different type of processor, or the bundled Node is missing, too
 * old or does not start. Runs that Node with an empty environment.
 *
 * @param options.timeoutMs how long it may take to report its version. Default 10 s.
 */
export async function findRuntimeProblems(folder: string, { timeoutMs = 10_000 } = {}): Promise<string[]> {
  const released = await ifExists(() => readFile(join(folder, 'RELEASE'), 'utf8'))
  const platform = released?.trim().split(' ')[1]
  const own = `linux-${process.arch}`
  if (platform !== undefined && platform !== own) return [`It was built for ${platform}, and this machine is ${own}.`]
  const { engines } = PackageFile.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const node = join(folder, `node_modules/node-${own}/bin/node`)
  try {
    const { stdout } = await promisify(execFile)(node, ['--version'], {
      env: {},
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    return isAtLeast(stdout.trim(), engines.node) ? [] : [`Its Node ${stdout.trim()} is older than ${engines.node}.`]
  } catch (error) {
    return [`Its Node does not start on this machine: ${describeFailure(error, timeoutMs)}`]
  }
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  return 'killed' in error && error.killed === true ? `it did not end within ${timeoutMs / 1000} s.` : error.message
}

/** Whether a version such as `v24.1.0` satisfies a range such as `>=20.12`. */
export function isAtLeast(version: string, range: string): boolean {
  const parse = (text: string) =>
    (/(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []).slice(1, 4).map((part) => Number(part ?? 0))
  const [have, need] = [parse(version), parse(range)]
  const differing = need.findIndex((part, index) => part !== have[index])
  return differing === -1 || (have[differing] ?? 0) > (need[differing] ?? 0)
}
