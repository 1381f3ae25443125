import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findJobHistory, lastFailureOf, listFailures, type JobHistory } from '#data/health/job-history.ts'
import { withCliDatabase } from '../admin/database.ts'
import { withCommandName } from '../cli/command-name.ts'
import { formatTime } from '../cli/duration.ts'
import { formatTable } from '../cli/format-table.ts'
import { describeJob } from './describe-job.ts'
import { collectFacts } from './job-facts.ts'
import { findInstallation } from './log-command.ts'

const usage = `Usage: npm run awaz -- logs [job ID] [--json]

  logs          the jobs that failed last, and those that wait or run after a failed attempt
  logs job ID   everything that is stored of a job: times, each attempt with engine, duration, models and error, what it waits for,
                what to do, and the command that shows its lines in the log

No word, name or file name is printed. Ends with 1 where there is no such job.`

const options = { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const
const maxListed = 20

/** `awaz logs`. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const [what, id, ...others] = positionals
  const isJob = what === 'job' && id !== undefined && others.length === 0
  if (values.help || (what !== undefined && !isJob)) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  console.log(
    await withCliDatabase((connection) => (isJob ? showJob : showFailures)(connection, values.json, id ?? '')),
  )
  return 0
}

/** Returns what is known about a job. Throws `not_found` if it does not exist. */
export async function showJob(connection: DatabaseConnection, asJson: boolean, id: string): Promise<string> {
  const job = /^[0-9a-f]{24}$/i.test(id) ? await findJobHistory(connection, id) : null
  if (!job) {
    const help = 'npm run awaz -- logs lists those that failed; each line of the log about a job has its id (jobId).'
    throw new AppError('not_found', `There is no job ${id}: it was deleted with its recording, or never existed.`, {
      help,
    })
  }
  const facts = await collectFacts(connection, job, findInstallation())
  return withCommandName(asJson ? JSON.stringify(facts, undefined, 2) : describeJob(facts))
}

/** Returns the failures as a table, newest first. */
export async function showFailures(connection: DatabaseConnection, asJson: boolean): Promise<string> {
  const jobs = await listFailures(connection, maxListed)
  if (asJson) return JSON.stringify(jobs.map(summarize), undefined, 2)
  if (jobs.length === 0) return 'No stored job has failed.'
  return formatTable([
    ['JOB', 'KIND', 'STATE', 'ATTEMPT', 'CODE', 'LAST FAILURE', 'RECORDING'],
    ...jobs
      .map(summarize)
      .map(({ id, kind, state, attempt, code, failed_at: at, recording_id: recordingId }) => [
        id,
        kind,
        state,
        String(attempt),
        code ?? 'lost',
        formatTime(at),
        recordingId ?? '',
      ]),
  ])
}

function summarize(job: JobHistory) {
  const { id, kind, state, attempt, recordingId } = job
  const code = job.error?.code ?? job.attempts.at(-1)?.code ?? null
  return { id, kind, state, attempt, code, failed_at: new Date(lastFailureOf(job)), recording_id: recordingId }
}
