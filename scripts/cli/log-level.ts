import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines, type EngineRecord } from '#data/engines/engines.ts'
import {
  requestLogLevels,
  changeLogLevel,
  listLogLevelAnswers,
  type LogLevelAnswer,
} from '#data/log/log-level-requests.ts'
import { LogLevel } from '#data/log/log-settings.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'
import { withCliDatabase } from '../admin/database.ts'
import { withCommandName } from './command-name.ts'
import { formatDuration, formatTime, parseDuration } from './duration.ts'
import { formatTable } from './format-table.ts'

const usage = `Usage: npm run awaz -- log-level [LEVEL] [--for DURATION]

Shows from which level every running server and engine logs, on all hosts, or changes it without a restart. After the time they go back to LOG_LEVEL
by themselves; one that starts before takes the level over. A change is an entry of the audit trail (log.level).

  LEVEL            ${LogLevel.options.join(', ')}; reset goes back at once
  --for DURATION   90s, 30m, 2h or 1d, at most 7d (default: 1h)

Ends with 1 where no process answered.`

const options = { for: { type: 'string', default: '1h' }, help: { type: 'boolean', default: false } } as const
const maxMs = 7 * 24 * 3_600_000
/** Processes poll for a question once a second. */
const answerTimeoutMs = 2_500

/** `awaz log-level`. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  if (values.help || positionals.length > 1) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  const [name] = positionals
  const change = name === undefined ? undefined : parseChange(name, values.for)
  return withCliDatabase(async (connection) => {
    const requestId = change ? await makeChange(connection, change) : await requestLogLevels(connection)
    await wait(answerTimeoutMs)
    const [answers, engines] = await Promise.all([
      listLogLevelAnswers(connection, requestId),
      findLiveEngines(connection),
    ])
    console.log(describeAnswers(answers, engines))
    return answers.length > 0 ? 0 : 1
  })
}

interface Change {
  /** Null restores the usual level. */
  level: LogLevel | null
  forMs: number
}

function parseChange(name: string, duration: string): Change {
  const level = LogLevel.safeParse(name)
  if (!level.success && name !== 'reset') {
    throw new AppError('invalid_input', `There is no level "${name}".`, {
      help: `Levels: ${LogLevel.options.join(', ')}; reset goes back to LOG_LEVEL.`,
    })
  }
  const forMs = parseDuration(duration)
  if (forMs === undefined || forMs <= 0 || forMs > maxMs)
    throw new AppError('invalid_input', '--for takes a time such as 90s, 30m, 2h or 1d, at most 7d.')
  return { level: level.data ?? null, forMs }
}

async function makeChange(connection: DatabaseConnection, { level, forMs }: Change): Promise<string> {
  const { requestId, until } = await changeLogLevel(connection, { level, forMs })
  const duration = formatDuration(forMs)
  const audit = createAudit({ events: createAuditEventRepository(connection), clock: systemClock })
  const details = level === null ? 'reset' : `${level} for ${duration}`
  const event = { action: 'log.level', outcome: 'success' as const, actor: { email: 'command line' }, details }
  await audit.record(event, systemOrigin)
  console.log(
    level === null
      ? 'Every process logs from its usual level, LOG_LEVEL.'
      : `Every process logs from ${level} for ${duration}, until ${formatTime(until)}, and then from LOG_LEVEL again.`,
  )
  return requestId
}

/** Formats the answers as a table, along with the running engines that did not answer. */
export function describeAnswers(
  answers: readonly LogLevelAnswer[],
  engines: readonly Pick<EngineRecord, 'host' | 'pid'>[],
): string {
  if (answers.length === 0 && engines.length === 0)
    return 'No running process answered: Awaz is stopped, or its processes do not reach the database.'
  const silent = engines.filter(
    (engine) =>
      !answers.some(({ service, host, pid }) => service === 'engine' && host === engine.host && pid === engine.pid),
  )
  return formatTable([
    ['SERVICE', 'HOST', 'PROCESS', 'LEVEL', 'UNTIL'],
    ...answers.map(({ service, host, pid, level, endsAt }) => [
      service,
      host,
      String(pid),
      level,
      endsAt ? formatTime(endsAt) : '',
    ]),
    ...silent.map(({ host, pid }) => ['engine', host, String(pid), 'did not answer', '']),
  ])
}
