import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'
import { runWithStatus, type RunContext } from '../cli/interruptible.ts'
import { databaseChecks, hostChecks } from './checks.ts'
import { databaseUnreachable } from './checks/database.ts'
import { findOtherOwner } from './checks/private-files.ts'
import { readSettings } from './checks/settings.ts'
import type { HostContext } from './context.ts'
import type { Finding } from './finding.ts'
import { isProductRunning, openDatabase } from './open-database.ts'
import { renderFindings } from './render.ts'
import { needsAction, runChecks } from './run-checks.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- doctor [--json] [--fix] [--all] [--verbose] [--progress]

Checks this instance while it runs, or while it is stopped: settings, secrets, database, sound files, disk, clock, ffmpeg, models, engines,
mail, sign-in providers, the public address with its certificate, backups. Each finding says what is the case, why it matters, and what mends
it. Nothing is changed, and nothing secret is printed.

  --json      prints the findings as a JSON array
  --fix       mends what can be mended without risk: missing indexes, permissions, leftover temporary files. Never deletes a recording
  --all       hashes every sound file and every file of the newest backup, checks every text and every index; takes long
  --verbose   also lists notes, and what was checked
  --progress  prints each check on standard error, also where that is no terminal

Ends with 0 where nothing needs action, 1 where something does, 2 where it could not run, 130 where it was interrupted. Run it as the user
that Awaz runs as, with the same settings. docs/doctor.md explains every finding.`

const options = {
  json: { type: 'boolean', default: false },
  fix: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  progress: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

const couldNotRun = 2

/** `awaz doctor`. Reads the settings itself, because an invalid one is a finding. */
export async function run(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args, options })
    if (values.help) {
      console.log(withCommandName(usage))
      return 0
    }
    return await examine(values)
  } catch (error) {
    console.error(describeFailure(error))
    return couldNotRun
  }
}

async function examine(values: Options): Promise<number> {
  const { config, found } = readSettings(process.env)
  if (!config) return report(found, values, ['settings'])
  if (values.fix && (await findOtherOwner(config.dataDir)) !== undefined) {
    // Files that it creates would belong to this user, and Awaz could not write to them.
    throw new AppError('forbidden', `Only the user that ${config.dataDir} belongs to may use --fix.`)
  }
  return runWithStatus(
    async (running) => {
      const all = await runAll(config, values, running)
      running.progress.end()
      return report(
        all,
        values,
        [...hostChecks, ...databaseChecks].map(({ name }) => name),
      )
    },
    { interrupted: 'Interrupted; nothing was changed by the check that was running.' },
  )
}

async function runAll(config: Config, values: Options, { progress, signal }: RunContext): Promise<Finding[]> {
  // Without a terminal only findings are printed.
  const isShown = values.progress || process.stderr.isTTY
  const total = hostChecks.length + databaseChecks.length
  let begun = 0
  function onCheck(name: string) {
    begun += 1
    if (isShown) progress.begin(`Check ${begun} of ${total}: ${name}`)
  }
  const host: HostContext = {
    config,
    env: process.env,
    isThorough: values.all,
    isFixing: values.fix,
    signal,
    onProgress: (done, total) => isShown && progress.update(done, total),
    now: () => new Date(),
  }
  // Determined before this command may start the database itself.
  const isRunning = await isProductRunning(config)
  const opened = await openDatabase(config, { signal })
  try {
    const found = await runChecks(hostChecks, host, { onCheck })
    if ('problem' in opened) return [...found, databaseUnreachable(opened.problem)]
    const { connection } = opened
    found.push(...(await runChecks(databaseChecks, { ...host, connection, isRunning }, { onCheck })))
    await recordFixes(connection, found)
    return found
  } finally {
    await opened.close()
  }
}

/** Records the changes in the audit trail. */
async function recordFixes(connection: DatabaseConnection, found: Finding[]): Promise<void> {
  const fixed = found.filter((finding) => finding.fixed !== undefined).map(({ code }) => code)
  if (fixed.length === 0) return
  const audit = createAudit({ events: createAuditEventRepository(connection), clock: systemClock })
  const actor = { email: 'command line' }
  await audit.record({ action: 'doctor.fix', outcome: 'success', actor, details: fixed.join(', ') }, systemOrigin)
}

function report(found: Finding[], { json, verbose }: Options, checks: string[]): number {
  console.log(json ? JSON.stringify(found.map(toJson), null, 2) : renderFindings(found, { checks, isVerbose: verbose }))
  return found.some(needsAction) ? 1 : 0
}

/** Names commands as render.ts does. */
function toJson({ remedy, command, recordings, ...finding }: Finding) {
  return {
    ...finding,
    remedy: withCommandName(remedy),
    ...(command !== undefined && { command: withCommandName(command) }),
    // Names are only for the terminal, whose user can read the disk anyway: JSON gets stored and sent on.
    ...(recordings && { recordings: recordings.map(({ id }) => id) }),
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isForPeople = error instanceof AppError || String('code' in error && error.code).startsWith('ERR_PARSE_ARGS')
  if (!isForPeople) return error.stack ?? error.message
  return [error.message, error instanceof AppError ? error.help : usage].filter(Boolean).join(' ')
}
