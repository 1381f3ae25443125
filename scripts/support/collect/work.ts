import { EngineStatus } from '#contract/entities/engine.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines, type EngineRecord } from '#data/engines/engines.ts'
import { countFailedJobs } from '#data/health/failed-jobs.ts'
import { countJobOutcomes, readQueueState } from '#data/health/queue-health.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { listRunningJobs } from '#data/jobs/queue-status.ts'
import { fields, flag, listOf, moment, number, oneOf, version } from '../allow-list.ts'
import { objectFile, type SupportFile } from '../archive.ts'
import { errorCodes, jobKindNames } from '../vocabulary.ts'

const engineNames = ['whisper.cpp', 'onnxruntime', 'sherpa-onnx', 'llama.cpp']
const maxFailures = 1_000
const servers = listOf(fields({ is_reachable: flag, in_flight: number, completed: number, failed: number }))

/** Returns the queue, the running engines, and how the most recent failed jobs failed. */
export async function describeWork(
  connection: DatabaseConnection,
  catalogIds: readonly string[],
): Promise<SupportFile[]> {
  const modelId = oneOf(catalogIds, 'imported')
  const engine = fields({
    version,
    started_at: moment,
    seen_at: moment,
    threads: number,
    model: modelId,
    runtime: oneOf(engineNames),
    runtime_version: version,
    speeds: listOf(fields({ model: modelId, real_time_factor: number, audio_seconds: number })),
    has_problem: flag,
    speech_servers: servers,
    translation_servers: servers,
  })
  const failure = fields({ kind: oneOf(jobKindNames), code: oneOf(errorCodes), count: number, last_at: moment })
  return [
    objectFile(
      'work',
      'jobs that wait and run, and the engines',
      {
        waiting: number,
        oldest_waiting_ms: number,
        abandoned: number,
        failed_last_day: number,
        ended_last_day: number,
        running: listOf(fields({ kind: oneOf(jobKindNames), attempt: number, started_at: moment })),
        engines: listOf(engine),
      },
      await readWork(connection),
    ),
    {
      name: 'failures',
      about: `the newest failed jobs, at most ${maxFailures}, counted by kind and error code`,
      shape: listOf(failure),
      value: (await countFailedJobs(connection, maxFailures)).map(({ lastAt, ...failure }) => ({
        ...failure,
        last_at: lastAt,
      })),
    },
  ]
}

async function readWork(connection: DatabaseConnection) {
  const state = await readQueueState(connection)
  const { failed, ended } = await countJobOutcomes(connection)
  return {
    waiting: state.waiting,
    oldest_waiting_ms: state.oldestWaitingMs,
    abandoned: state.abandoned.length,
    failed_last_day: failed,
    ended_last_day: ended,
    running: (await listRunningJobs(openQueue(connection))).map(({ startedAt, ...job }) => ({
      ...job,
      started_at: startedAt,
    })),
    engines: (await findLiveEngines(connection)).map(describeEngine),
  }
}

function describeEngine({ startedAt, beatAt, status }: EngineRecord) {
  const published = EngineStatus.safeParse(status).data
  const [, runtime, runtimeVersion] = /^([\w.-]+)(?: (\S+))?/.exec(published?.device?.replace(',', '') ?? '') ?? []
  return {
    ...published,
    started_at: startedAt,
    seen_at: beatAt,
    model: published?.model?.id,
    runtime,
    runtime_version: runtimeVersion,
    has_problem: Boolean(published?.problem),
  }
}
