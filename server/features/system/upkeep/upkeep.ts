import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import type { Logger } from 'pino'
import { z } from 'zod'
import { awazCommand } from '#data/awaz-command.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { AppError } from '#contract/app-error.ts'
import type { SupportArchive } from '#contract/entities/upkeep.ts'
import { createBackups } from './backups.ts'
import { createDoctorChecks } from './checks.ts'
import { createCommandRunner, type RunCommand } from './command.ts'
import { createRuns, type Runs } from './runs.ts'
import { createFindingPresenter } from './shown-findings.ts'

interface UpkeepDeps {
  config: Pick<Config, 'backup' | 'dataDir' | 'modelsDir' | 'mongodbUri'>
  connection: DatabaseConnection
  clock: Clock
  log: Logger
  /** The environment for the commands: their settings are those of this server. */
  env: NodeJS.ProcessEnv
}

interface SupportDeps {
  runs: Pick<Runs, 'duringTurn'>
  runCommand: RunCommand
  clock: Clock
}

const Printed = z.object({
  sha256: z.string(),
  files: z.array(z.object({ name: z.string(), sizeBytes: z.int() })),
})
const timeoutMs = 30 * 60_000

/** Creates what super admins can do with the instance: checks, backups and the support archive. */
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
 * Returns the environment for a command. `npm start` passes the address of the embedded database as MONGODB_URI; without it, a command
 * finds the address itself and reports that the database is embedded.
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

/**
 * Returns a function that creates a support archive with `awaz support`. The response contains all of it, so that nothing remains on a
 * server. Throws `conflict` if another command is under way.
 */
function createSupportArchives({ runs, runCommand, clock }: SupportDeps) {
  return (signal: AbortSignal): Promise<SupportArchive> =>
    runs.duringTurn(signal, async (ending) => {
      const folder = await mkdtemp(join(tmpdir(), 'awaz-support-'))
      try {
        const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
        const fileName = `awaz-support-${stamp}.zip`
        const path = join(folder, fileName)
        const command = ['support', '--out', path, '--json']
        const { status, stdout, messages } = await runCommand(command, { signal: ending, timeoutMs })
        if (status !== 0) throw new AppError('unavailable', messages || `The command ended with ${status}.`)
        const { sha256, files } = Printed.parse(JSON.parse(stdout))
        const content = await readFile(path)
        return {
          file_name: fileName,
          files: files.map(({ name, sizeBytes }) => ({ name, size_bytes: sizeBytes })),
          size_bytes: content.length,
          sha256,
          base64: content.toString('base64'),
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}
