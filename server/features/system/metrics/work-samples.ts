import type { DatabaseConnection } from '#data/connect.ts'
import { counterLabels, listCounters, type CounterName } from '#data/counters/counters.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readLibraryCheck } from '#data/library/library-checks.ts'
import type { WorkFacts } from '../state/work-facts.ts'
import { readServers } from '../system-status.ts'
import { sampleOf, type MetricSample } from './metric-sample.ts'

const counterHelp: Record<CounterName, string> = {
  finished_jobs: 'Jobs that were finished, by kind',
  failed_attempts: 'Attempts at jobs that failed, by kind and error code; a job has three',
  lost_leases: 'Jobs that an engine lost because it died or did not answer in time',
  engine_starts: 'Starts of engines',
  transcribed_seconds: 'Seconds of recordings that were transcribed, by model and main language',
  transcription_work_seconds: 'Seconds that engines took to transcribe, by model and main language',
  transcribed_lines: 'Transcribed lines by certainty: certain, or uncertain, which a person should check',
  translated_lines: 'Lines by outcome: translated, or not_translated where what the model returned was not accepted',
  translation_work_seconds: 'Seconds that engines took to translate, by model',
}

/** Returns a function that reads the queue, the engines and their work from the database: every server reports the same. */
export function createWorkSamples({ connection }: Queue, readFacts: () => Promise<WorkFacts>) {
  return async (): Promise<MetricSample[]> => {
    const [facts, counters, library] = await Promise.all([
      readFacts(),
      readCounters(connection),
      readLibraryCheck(connection),
    ])
    const { queue, outcomes, engines, unableEngines } = facts
    return [
      sampleOf(
        'awaz_database_response_seconds',
        'Time of one small query of this scrape',
        facts.databaseResponseMs / 1000,
      ),
      sampleOf('awaz_jobs_running', 'Jobs that engines work on', facts.running),
      sampleOf('awaz_jobs_waiting', 'Jobs that wait for an engine', queue.waiting),
      sampleOf(
        'awaz_oldest_waiting_job_seconds',
        'How long the oldest waiting job has waited',
        queue.oldestWaitingMs / 1000,
      ),
      sampleOf('awaz_jobs_abandoned', 'Running jobs that no engine holds', queue.abandoned.length),
      sampleOf('awaz_jobs_ended_last_day', 'Jobs of the last 24 hours that ended, done or failed', outcomes.ended),
      sampleOf('awaz_jobs_failed_last_day', 'Jobs of the last 24 hours that failed for good', outcomes.failed),
      {
        name: 'awaz_engines',
        help: 'Engines that run: able to work, or unable to read the recordings',
        values: [
          { labels: { state: 'able' }, value: engines.length - unableEngines },
          { labels: { state: 'unable' }, value: unableEngines },
        ],
      },
      {
        name: 'awaz_model_server_reachable',
        help: 'Whether a server that runs models can be reached: 1 or 0',
        values: (['speech_servers', 'translation_servers'] as const).flatMap((kind) =>
          readServers(engines, kind).map(({ address, is_reachable }) => {
            return { labels: { kind: kind.replace('_servers', ''), address }, value: is_reachable === false ? 0 : 1 }
          }),
        ),
      },
      {
        ...sampleOf('awaz_library_repairs_total', 'Repairs of what is derived from recordings', library?.repaired_ever),
        type: 'counter',
      },
      ...counters,
    ]
  }
}

async function readCounters(connection: DatabaseConnection): Promise<MetricSample[]> {
  const stored = Map.groupBy(await listCounters(connection), ({ name }) => name)
  const names = Object.keys(counterLabels) as CounterName[] // the keys of a literal
  return names.map((name) => {
    const values = stored.get(name) ?? []
    const hasLabels = counterLabels[name].length > 0
    return {
      name: `awaz_${name}_total`,
      type: 'counter' as const,
      help: counterHelp[name],
      values: values.length === 0 && !hasLabels ? [{ value: 0 }] : values,
    }
  })
}
