import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { readDataVersion } from '#data/data-version.ts'
import { countDocuments } from '#data/health/collection-counts.ts'
import { databaseChecks, hostChecks } from '../../doctor/checks.ts'
import { databaseUnreachable } from '../../doctor/checks/database.ts'
import { readSettings } from '../../doctor/checks/settings.ts'
import type { HostContext } from '../../doctor/context.ts'
import { isProductRunning, openDatabase } from '../../doctor/open-database.ts'
import { runChecks } from '../../doctor/run-checks.ts'
import { objectFile, type SupportFile } from '../archive.ts'
import { readCatalogIds } from '../vocabulary.ts'
import { fields, flag, listOf, moment, number, oneOf, pattern } from '../allow-list.ts'
import { describeFindings } from './findings.ts'
import { describeHost } from './host.ts'
import { describeMetrics } from './metrics.ts'
import { describeInstalledModels } from './models.ts'
import { describeSettings } from './settings.ts'
import { describeWork } from './work.ts'
import { trySection } from './try-section.ts'

/** Returns counts of what the database holds, and when backups were last made and rehearsed. */
async function describeData(config: Config, connection: DatabaseConnection): Promise<SupportFile> {
  const events = createAuditEventRepository(connection)
  const value = {
    database: config.mongodbUri === undefined ? 'embedded' : 'mongodb',
    data_version: await readDataVersion(connection),
    documents: await countDocuments(connection),
    backups: {
      last_success: await events.findLastTime('backup.create', 'success'),
      last_failure: await events.findLastTime('backup.create', 'failure'),
      last_rehearsal: await events.findLastTime('backup.rehearse', 'success'),
      last_failed_rehearsal: await events.findLastTime('backup.rehearse', 'failure'),
      has_folder: config.backup.folder !== undefined,
    },
  }
  const shapes = {
    database: oneOf(['embedded', 'mongodb']),
    data_version: number,
    documents: listOf(fields({ collection: pattern(/[a-z_]{3,40}/), count: number })),
    backups: fields({
      last_success: moment,
      last_failure: moment,
      last_rehearsal: moment,
      last_failed_rehearsal: moment,
      has_folder: flag,
    }),
  }
  return objectFile('data', 'number of documents by collection; times of the last backup and rehearsal', shapes, value)
}

interface CollectContext {
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  onStage: (stage: string) => void
}

interface Collected {
  files: SupportFile[]
  /** Undefined where the database could not be opened. */
  connection?: DatabaseConnection
  /** A sentence about why files are missing. */
  missing?: string
}

/** Collects the files of a support archive and passes them on while the database is open. Throws `not_found` if there is no database. */
export async function withSupportFiles(
  { env, signal, onStage }: CollectContext,
  use: (collected: Collected) => Promise<void>,
): Promise<void> {
  const catalogIds = await readCatalogIds()
  const { config, found } = readSettings(env)
  const settings = describeSettings(env, catalogIds)
  const host = await describeHost(config, env)
  if (!config) {
    const missing = 'Settings are not valid, so the database was not read: see awaz doctor.'
    return use({ files: [host, settings, describeFindings(found, { isComplete: false })], missing })
  }
  const context = toHostContext(config, { env, signal })
  const onCheck = (name: string) => onStage(`Checking ${name}`)
  // Determined before this command may start the database itself.
  const isRunning = await isProductRunning(config)
  const opened = await openDatabase(config, { signal })
  try {
    found.push(...(await runChecks(hostChecks, context, { onCheck })))
    const read = (name: string, describe: () => Promise<SupportFile | SupportFile[]>) =>
      trySection(name, { read: async () => [await describe()].flat(), signal })
    const models = await read('models', () => describeInstalledModels(config, catalogIds))
    if ('problem' in opened) {
      found.push(databaseUnreachable(opened.problem))
      const files = [host, settings, describeFindings(found, { isComplete: false }), ...models]
      return await use({ files, missing: 'The database could not be read: see awaz doctor.' })
    }
    const { connection } = opened
    found.push(...(await runChecks(databaseChecks, { ...context, connection, isRunning }, { onCheck })))
    onStage('Reading the instance')
    const files = [
      host,
      settings,
      describeFindings(found, { isComplete: true }),
      ...models,
      ...(await read('data', () => describeData(config, connection))),
      ...(await read('work', () => describeWork(connection, catalogIds))),
      ...(await read('metrics', () => describeMetrics(config, { connection, catalogIds, isRunning }))),
    ]
    signal.throwIfAborted()
    return await use({ files, connection })
  } finally {
    await opened.close()
  }
}

function toHostContext(config: Config, given: Pick<HostContext, 'env' | 'signal'>): HostContext {
  return {
    config,
    ...given,
    isThorough: false,
    isFixing: false,
    onProgress: () => undefined,
    now: () => new Date(),
  }
}
