import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import { awazCommand } from '#data/awaz-command.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createSystemFactRepository, type SystemFactRepository } from '#data/system/system-facts.ts'
import { AppError } from '#contract/app-error.ts'
import { DoctorFinding, type UpkeepRun } from '#contract/entities/upkeep.ts'
import { Moment } from '#contract/scalars.ts'
import { createBackups } from './backups.ts'
import { createCommandRunner, type RunCommand } from './command.ts'
import { createRuns, type Runs } from './runs.ts'
import { createSupportArchives } from './support-archive.ts'

interface ChecksDeps {
  runs: Runs
  runCommand: RunCommand
  facts: Pick<SystemFactRepository, 'find' | 'set'>
  clock: Clock
}

const LastChecks = z.object({ at: Moment, findings: z.array(DoctorFinding) })
const factName = 'upkeep_checks'
/** It looks at every file of the recordings; without --all it hashes a few. */
const timeoutMs = 30 * 60_000

/** Creates what runs `awaz doctor` for super admins and keeps what it found. */
function createChecks({ runs, runCommand, facts, clock }: ChecksDeps) {
  /** Throws `conflict` where something is under way. */
  async function start(): Promise<UpkeepRun> {
    return runs.start({ kind: 'checks', subject: null }, async (context) => {
      const { status, stdout, messages } = await runCommand(['doctor', '--json', '--progress'], {
        ...context,
        timeoutMs,
      })
      // 0 and 1 say whether something needs action.
      if (status !== 0 && status !== 1) throw new AppError('unavailable', messages || `It ended with ${status}.`)
      const last = {
        at: new Date(clock.now()).toISOString(),
        findings: z.array(DoctorFinding).parse(JSON.parse(stdout)),
      }
      await facts.set(factName, JSON.stringify(last))
    })
  }

  async function read() {
    const [text, run, isBusy] = await Promise.all([facts.find(factName), runs.find('checks'), runs.isBusy()])
    const last = text === null ? undefined : LastChecks.safeParse(JSON.parse(text)).data
    return { last: last ?? null, run, is_busy: isBusy }
  }

  return { start, read }
}

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

  return { runs, checks: createChecks(deps), backups, makeSupportArchive: createSupportArchives(deps), close }
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
