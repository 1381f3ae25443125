import type { z } from 'zod'
import { EngineStatus, type Engine } from '#contract/entities/engine.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { ProgressHead } from '#contract/progress-text.ts'
import { EngineFeatures } from '#data/engines/engine-features.ts'
import type { EngineDocument } from '#data/engines/engine-model.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { mergeServers } from './speech-servers.ts'

type HeldJob = Pick<JobRecord, '_id' | 'kind' | 'engineId' | 'attempt' | 'startedAt' | 'progress'>

interface SystemStatus {
  queued_jobs: number
  running_jobs: number
  engines: z.input<typeof Engine>[]
  speech_servers: RemoteServerStatus[]
  translation_servers: RemoteServerStatus[]
}

/** The engines that run, what each works on, and the servers that run models as they see them. */
export async function readSystemStatus(queue: Queue): Promise<SystemStatus> {
  const [engines, queued, held] = await Promise.all([
    findLiveEngines(queue.connection),
    queue.jobs.countDocuments({ state: 'queued' }),
    queue.jobs
      .find({ state: 'running' }, { kind: 1, engineId: 1, attempt: 1, startedAt: 1, progress: 1 })
      .limit(1000)
      .lean<HeldJob[]>(),
  ])
  return {
    queued_jobs: queued,
    running_jobs: held.length,
    engines: engines.map((engine) => presentEngine(engine, held)),
    speech_servers: readServers(engines, 'speech_servers'),
    translation_servers: readServers(engines, 'translation_servers'),
  }
}

/** The servers of one kind that live engines use. */
export function readServers(
  engines: EngineDocument[],
  kind: 'speech_servers' | 'translation_servers',
): RemoteServerStatus[] {
  return mergeServers(engines.map((engine) => statusOf(engine)?.[kind] ?? []))
}

/** What an engine says of itself; undefined for one of another version. */
export function statusOf({ status }: EngineDocument): EngineStatus | undefined {
  return EngineStatus.safeParse(status).data
}

function presentEngine(engine: EngineDocument, held: HeldJob[]): z.input<typeof Engine> {
  const status = statusOf(engine)
  const features = EngineFeatures.safeParse(engine.features).data
  const job = held.find(({ engineId }) => engineId === engine._id)
  return {
    id: engine._id,
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

function presentJob({ _id, kind, attempt, startedAt, progress }: HeldJob) {
  const head = ProgressHead.safeParse(progress).data
  const total = head?.total_segments ?? 0
  return {
    id: _id.toHexString(),
    kind,
    attempt,
    progress: head && total > 0 ? Math.min(1, head.current_segment / total) : null,
    started_at: startedAt?.toISOString() ?? null,
  }
}
