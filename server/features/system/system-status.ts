import type { z } from 'zod'
import { type Engine, EngineStatus } from '#contract/entities/engine.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { ProgressHead } from '#contract/progress-text.ts'
import { EngineFeatures } from '#data/engines/engine-features.ts'
import { type EngineRecord, findLiveEngines } from '#data/engines/engines.ts'
import { countWaitingJobs, listRunningJobs, type RunningJob } from '#data/jobs/queue-status.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Merges what several engines report about each server; it is reachable if any of them reaches it. Sorted by address. */
function mergeServers(seen: RemoteServerStatus[][]): RemoteServerStatus[] {
  const byAddress = Map.groupBy(seen.flat(), ({ address }) => address)
  return [...byAddress]
    .map(([address, views]) => ({
      address,
      models: [...new Set(views.flatMap(({ models }) => models))],
      is_reachable: mergeReachable(views),
      in_flight: sum(views.map((view) => view.in_flight)),
      completed: sum(views.map((view) => view.completed)),
      failed: sum(views.map((view) => view.failed)),
      real_time_factor: meanSpeed(views, (view) => view.real_time_factor),
      tokens_per_second: meanSpeed(views, (view) => view.tokens_per_second),
      last_error: latestError(views),
      retry_at: nextRetry(views),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

function mergeReachable(views: RemoteServerStatus[]): boolean | null {
  if (views.some(({ is_reachable }) => is_reachable === true)) return true
  return views.some(({ is_reachable }) => is_reachable === false) ? false : null
}

/** Weights each engine by its completed requests. */
function meanSpeed(views: RemoteServerStatus[], speedOf: (view: RemoteServerStatus) => number | null): number | null {
  const measured = views.flatMap((view) => {
    const speed = speedOf(view)
    return speed === null ? [] : { speed, weight: Math.max(1, view.completed) }
  })
  if (measured.length === 0) return null
  return sum(measured.map(({ speed, weight }) => speed * weight)) / sum(measured.map(({ weight }) => weight))
}

function latestError(views: RemoteServerStatus[]): RemoteServerStatus['last_error'] {
  const errors = views.flatMap(({ last_error }) => last_error ?? [])
  return errors.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0] ?? null
}

/** Returns null if an engine is using the server now. */
function nextRetry(views: RemoteServerStatus[]): string | null {
  const times = views.map(({ retry_at }) => retry_at)
  if (times.includes(null)) return null
  return times.flatMap((time) => time ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

interface SystemStatus {
  queued_jobs: number
  running_jobs: number
  engines: z.input<typeof Engine>[]
  speech_servers: RemoteServerStatus[]
  translation_servers: RemoteServerStatus[]
}

/** Returns the live engines, the job of each, and the servers that run models, as reported by the engines. */
export async function readSystemStatus(queue: Queue): Promise<SystemStatus> {
  const [engines, queued, running] = await Promise.all([
    findLiveEngines(queue.connection),
    countWaitingJobs(queue),
    listRunningJobs(queue),
  ])
  return {
    queued_jobs: queued,
    running_jobs: running.length,
    engines: engines.map((engine) => presentEngine(engine, running)),
    speech_servers: readServers(engines, 'speech_servers'),
    translation_servers: readServers(engines, 'translation_servers'),
  }
}

/** Returns the servers of one kind that the given engines use. */
export function readServers(
  engines: EngineRecord[],
  kind: 'speech_servers' | 'translation_servers',
): RemoteServerStatus[] {
  return mergeServers(engines.map((engine) => statusOf(engine)?.[kind] ?? []))
}

/** Returns what an engine reports about itself; undefined if its version differs. */
export function statusOf({ status }: EngineRecord): EngineStatus | undefined {
  return EngineStatus.safeParse(status).data
}

function presentEngine(engine: EngineRecord, running: RunningJob[]): z.input<typeof Engine> {
  const status = statusOf(engine)
  const features = EngineFeatures.safeParse(engine.features).data
  const job = running.find(({ engineId }) => engineId === engine.id)
  return {
    id: engine.id,
    host: engine.host,
    pid: engine.pid,
    started_at: engine.startedAt.toISOString(),
    seen_at: engine.beatAt.toISOString(),
    version: status?.version ?? null,
    revision: status?.revision ?? null,
    components: status?.components ?? [],
    threads: status?.threads ?? null,
    model: status?.model ?? null,
    device: status?.device ?? null,
    speeds: status?.speeds ?? [],
    problem: status?.problem ?? null,
    speech_model: features?.speech?.name ?? null,
    translation_model: features?.translation?.name ?? null,
    job: job ? presentJob(job) : null,
  }
}

function presentJob({ id, kind, attempt, startedAt, progress }: RunningJob) {
  const head = ProgressHead.safeParse(progress).data
  const total = head?.total_segments ?? 0
  return {
    id,
    kind,
    attempt,
    progress: head && total > 0 ? Math.min(1, head.current_segment / total) : null,
    started_at: startedAt?.toISOString() ?? null,
  }
}
