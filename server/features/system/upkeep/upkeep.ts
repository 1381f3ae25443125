import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { awazCommand } from '#data/awaz-command.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createBackups } from './backups.ts'
import { createDoctorChecks } from './checks.ts'
import { createCommandRunner, type RunCommand } from './command.ts'
import { createRuns } from './runs.ts'
import { createFindingPresenter } from './shown-findings.ts'
import { createSupportArchives } from './support-archive.ts'

interface UpkeepDeps {
  config: Pick<Config, 'backup' | 'dataDir' | 'modelsDir' | 'mongodbUri'>
  connection: DatabaseConnection
  clock: Clock
  log: Logger
  /** Of the commands: their settings are those of this server. */
  env: NodeJS.ProcessEnv
}

/** Creates what super admins do with the instance: checks, backups and the support archive. */
export function createUpkeep({ config, connection, clock, log, env }: UpkeepDeps) {
  const facts = createSystemFactRepository(connection)
  const runs = createRuns({ connection, clock, log })
  const runCommand: RunCommand = async (args, options) =>
    createCommandRunner(await commandEnv(env, config))(args, options)
  const commandName = env.AWAZ_COMMAND ?? awazCommand
  const deps = { config, runs, runCommand, facts, clock, commandName }
  const backups = createBackups({ ...deps, events: createAuditEventRepository(connection) })

  async function close(): Promise<void> {
    backups.close()
    await runs.close()
  }

  const checks = createDoctorChecks({ ...deps, presentFindings: createFindingPresenter(connection) })
  return { runs, checks, backups, makeSupportArchive: createSupportArchives(deps), close }
}

export type Upkeep = ReturnType<typeof createUpkeep>

/**
 * Returns the environment of a command. `npm start` gives the address of the embedded database as MONGODB_URI; a command finds that itself, and
 * says of the database that it is embedded.
 */
async function commandEnv(
  env: NodeJS.ProcessEnv,
  { dataDir, modelsDir, mongodbUri }: UpkeepDeps['config'],
): Promise<NodeJS.ProcessEnv> {
  const folders = { DATA_DIR: resolve(dataDir), MODELS_DIR: resolve(modelsDir) }
  const address = await readFile(join(dataDir, 'db', 'uri'), 'utf8').catch(() => undefined)
  const isEmbedded = address !== undefined && address.trim() === mongodbUri
  return { ...env, ...folders, ...(isEmbedded && { MONGODB_URI: '' }) }
}
