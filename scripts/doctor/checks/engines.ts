import { t } from '#contract/texts/t.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import { settleLiveness } from '#data/engines/liveness.ts'
import { countJobOutcomes, readQueueState } from '#data/health/queue-health.ts'
import { findSilentEngines } from '#data/health/silent-engines.ts'
import { version } from '#data/version.ts'
import { createEngineChecks } from '#server/features/system/engine-checks.ts'
import { statusOf } from '#server/features/system/system-status.ts'
import { amountTexts, describeDuration, listSome } from '#server/features/system/state/amount-texts.ts'
import { healthIssues } from '#server/features/system/state/health-issues.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'engines.none': {
    ...healthIssues['engines.none'],
    why: 'Nothing is transcribed or translated; jobs wait.',
  },
  'engines.silent': {
    ...healthIssues['engines.silent'],
    why: 'It was killed, for example for memory, or its host is gone.',
  },
  'engines.unable': {
    ...healthIssues['engines.unable'],
    why: 'Its share of the jobs waits for other engines.',
  },
  'engines.version': {
    ...healthIssues['engines.version'],
    why: 'It may not understand jobs and data of this version.',
  },
  'servers.unreachable': {
    ...healthIssues['servers.unreachable'],
    why: 'Work that needs them waits or fails.',
  },
  'jobs.waiting': {
    ...healthIssues['jobs.waiting'],
    why: 'More comes in than the engines finish, or no engine can run it.',
  },
  'jobs.abandoned': {
    ...healthIssues['jobs.abandoned'],
    why: 'They never end.',
  },
  'jobs.failing': {
    ...healthIssues['jobs.failing'],
    why: 'Something in common is wrong: a model, ffmpeg, a server, memory.',
  },
} as const

const finding = findingsOf(findings)
const maxWaitMs = 3_600_000
const minFailures = 5
/** Maximum number of silent engines that are named. */
const maxSilentEngines = 5

/** Checks the engines' heartbeats and reports, and the queue. */
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
      found.push(
        finding(
          'engines.unable',
          `The engine on ${host} (process ${pid}): ${status.problem}`,
          // Then no job runs at all.
          live.every((each) => statusOf(each)?.problem) ? { severity: 'problem' } : {},
        ),
      )
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
  for (const { host, silentMs } of isRunning ? silent.slice(0, maxSilentEngines) : [])
    found.push(finding('engines.silent', `No heartbeat of the engine on ${host} for ${describeDuration(silentMs)}.`))
  if (live.length > 0) found.push(...(await checkServers(connection)))
  return [...found, ...(await checkQueue(connection, { hasEngines: isRunning || live.length > 0 }))]
}

/** Checks servers and models as /readyz does, from the engines' reports. */
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
  if (hasEngines && oldestWaitingMs > maxWaitMs)
    found.push(
      finding(
        'jobs.waiting',
        `Waiting: ${amountTexts.jobs(waiting)}, the oldest for ${describeDuration(oldestWaitingMs)}.`,
      ),
    )
  if (hasEngines && abandoned.length > 0)
    found.push(
      finding(
        'jobs.abandoned',
        `Nobody holds the lease of ${amountTexts.jobs(abandoned.length)} (${listSome(abandoned)}).`,
      ),
    )
  if (failed >= minFailures && failed * 2 > ended)
    found.push(
      finding('jobs.failing', t('{1, number} of {2, number} jobs of the last day failed.', { 1: failed, 2: ended })),
    )
  return found
}
