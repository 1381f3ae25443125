import type { z } from 'zod'
import { EngineStatus, type Engine } from '#contract/entities/engine.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { ProgressHead } from '#contract/progress-text.ts'
import { EngineFeatures } from '#data/engines/engine-features.ts'
import { findLiveEngines, type EngineRecord } from '#data/engines/engines.ts'
import { countWaitingJobs, listRunningJobs, type RunningJob } from '#data/jobs/queue-status.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { mergeServers } from './speech-servers.ts'

interface SystemStatus {
  queued_jobs: number
  running_jobs: number
  engines: z.input<typeof Engine>[]
  speech_servers: RemoteServerStatus[]
  translation_servers: RemoteServerStatus[]
}

/** Returns the live engines, the job of each, and the servers that run models, as the engines report them. */
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

/** Returns the servers of one kind that these engines use. */
export function readServers(
  engines: EngineRecord[],
  kind: 'speech_servers' | 'translation_servers',
): RemoteServerStatus[] {
  return mergeServers(engines.map((engine) => statusOf(engine)?.[kind] ?? []))
}

/** Returns what an engine reports of itself; undefined for one of another version. */
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
