import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import { settleLiveness } from '#data/engines/liveness.ts'
import { countJobOutcomes, readQueueState } from '#data/health/queue-health.ts'
import { findSilentEngines } from '#data/health/silent-engines.ts'
import { version } from '#data/version.ts'
import { createEngineChecks } from '#server/features/system/engine-checks.ts'
import { statusOf } from '#server/features/system/system-status.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, listSome, type Finding } from '../finding.ts'

const findings = {
  'engines.none': {
    severity: 'problem',
    title: 'Awaz runs, and no engine does',
    why: 'Nothing is transcribed or translated; jobs wait.',
    remedy:
      'Read the log of the engine, and restart Awaz. With RUN_SERVER false on other hosts, check their MONGODB_URI.',
  },
  'engines.silent': {
    severity: 'warning',
    title: 'An engine ended without unregistering, or hangs',
    why: 'It was killed, for example for memory, or its host is gone.',
    remedy:
      'Read its log and that of the kernel (journalctl -k, "out of memory"). Fewer ENGINE_PROCESSES need less memory.',
  },
  'engines.unable': {
    severity: 'problem',
    title: 'An engine cannot work',
    why: 'Its share of the jobs waits for other engines.',
    remedy: 'Mend what the sentence says; page System shows it too.',
  },
  'engines.version': {
    severity: 'warning',
    title: 'An engine runs another version than this one',
    why: 'It may not understand jobs and data of this version.',
    remedy: 'Upgrade and restart Awaz on its host.',
  },
  'servers.unreachable': {
    severity: 'problem',
    title: 'A transcription or translation server cannot be reached, or models are missing',
    why: 'Work that needs them waits or fails.',
    remedy:
      'Start them, and check SPEECH_SERVERS and TRANSLATION_SERVERS (docs/scale-out.md). Page System shows the last error.',
  },
  'jobs.waiting': {
    severity: 'warning',
    title: 'A job has waited for over an hour',
    why: 'More comes in than the engines finish, or no engine can run it.',
    remedy:
      'Page System: are all engines at work? If so, more of them (docs/scale-out.md); if not, models for the language are missing.',
  },
  'jobs.abandoned': {
    severity: 'problem',
    title: 'Running jobs belong to engines that are gone, and nobody takes them back',
    why: 'They never end.',
    remedy: 'Restart the engines: they take such jobs back at their start.',
  },
  'jobs.failing': {
    severity: 'warning',
    title: 'More than half of the jobs that were asked for in the last day failed',
    why: 'Something in common is wrong: a model, ffmpeg, a server, memory.',
    remedy: 'Open one that failed for its message, and read the log of the engine.',
  },
} as const

const finding = findingsOf(findings)
const maxWaitMs = 3_600_000
const minFailures = 5

/** Heartbeats of engines, what they report, and the queue. */
export const enginesCheck: Check<DatabaseContext> = { name: 'engines and jobs', findings, run }

async function run({ connection, isRunning }: DatabaseContext): Promise<Finding[]> {
  await settleLiveness(connection)
  const live = await findLiveEngines(connection)
  const found: Finding[] = []
  if (isRunning && live.length === 0)
    found.push(finding('engines.none', 'No engine had a heartbeat in the last 15 seconds.'))
  for (const engine of live) {
    const status = statusOf(engine)
    const { host, pid } = engine
    if (status?.problem)
      found.push(finding('engines.unable', `The engine on ${host} (process ${pid}): ${status.problem}`))
    const other = status?.version ?? 'unknown'
    if (other !== version)
      found.push(
        finding(
          'engines.version',
          `The engine on ${host} (process ${pid}) is of version ${other}, this is ${version}.`,
        ),
      )
  }
  const silent = await findSilentEngines(connection)
  if (isRunning && silent.length > 0)
    found.push(finding('engines.silent', `No heartbeat for over a minute: ${listHosts(silent)}.`))
  if (live.length > 0) found.push(...(await checkServers(connection)))
  return [...found, ...(await checkQueue(connection, { hasEngines: isRunning || live.length > 0 }))]
}

function listHosts(silent: { host: string; silentMs: number }[]): string {
  return silent
    .slice(0, 5)
    .map(({ host, silentMs }) => `${host} (${Math.round(silentMs / 60_000)} min)`)
    .join(', ')
}

/** What /readyz says of servers and models, according to the engines' reports. */
async function checkServers(connection: DatabaseConnection): Promise<Finding[]> {
  const { models, speech_servers, translation_servers } = createEngineChecks(connection)
  const results = await Promise.all([models(), speech_servers(), translation_servers()])
  return results
    .filter(({ ok }) => !ok)
    .map(({ message }) => finding('servers.unreachable', `The engines report: ${message}.`))
}

async function checkQueue(connection: DatabaseConnection, { hasEngines }: { hasEngines: boolean }): Promise<Finding[]> {
  const { waiting, oldestWaitingMs, abandoned } = await readQueueState(connection)
  const { failed, ended } = await countJobOutcomes(connection)
  const found: Finding[] = []
  if (hasEngines && oldestWaitingMs > maxWaitMs) {
    const hours = (oldestWaitingMs / 3_600_000).toFixed(1)
    found.push(finding('jobs.waiting', `${waiting} jobs wait, the oldest for ${hours} hours.`))
  }
  if (hasEngines && abandoned.length > 0)
    found.push(finding('jobs.abandoned', `${listSome(abandoned, 'job')}: nobody holds their lease.`))
  if (failed >= minFailures && failed * 2 > ended)
    found.push(finding('jobs.failing', `${failed} of ${ended} jobs of the last day failed.`))
  return found
}
