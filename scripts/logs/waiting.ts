import { EngineStatus } from '#contract/entities/engine.ts'
import { canRunJob, EngineFeatures } from '#data/engines/engine-features.ts'
import type { EngineRecord } from '#data/engines/engines.ts'
import type { JobHistory } from '#data/health/job-history.ts'
import { JobParams } from '#data/jobs/job-params.ts'

interface QueueView {
  /** Those with a heartbeat in the last seconds. */
  engines: readonly EngineRecord[]
  /** From 1; null for a job that does not wait for its turn. */
  position: number | null
}

/** Returns what a job waits for, as a sentence; null where it has ended. */
export function describeWaiting(
  { state, isHeld, params, engineId }: Pick<JobHistory, 'state' | 'isHeld' | 'params' | 'engineId'>,
  { engines, position }: QueueView,
): string | null {
  if (state === 'running') {
    return engines.some(({ id }) => id === engineId)
      ? 'Nothing: an engine works on it.'
      : 'Its engine does not answer. Another one takes it over some seconds after its lease ends.'
  }
  if (state !== 'queued') return null
  if (isHeld) return 'Its recording was removed and can be restored; until then no engine starts it.'
  if (engines.length === 0) return 'An engine: none runs. npm run awaz -- doctor and the log of the engine say why.'
  const { data: parsed } = JobParams.safeParse(params)
  const canRead = engines.filter(({ status }) => !EngineStatus.safeParse(status).data?.problem)
  if (canRead.length === 0 && parsed?.kind !== 'translate')
    return 'An engine that can read the recordings: none can. npm run awaz -- doctor says why.'
  const isAble = engines.some(({ features }) => {
    const known = EngineFeatures.safeParse(features).data
    return known && parsed && canRunJob(known, parsed)
  })
  if (!isAble) return 'An engine with the models for it: none has them. After two minutes it fails with the reason.'
  const before = (position ?? 1) - 1
  return `Its turn: ${before} ${before === 1 ? 'job is' : 'jobs are'} before it, ${engines.length} ${engines.length === 1 ? 'engine runs' : 'engines run'}.`
}
