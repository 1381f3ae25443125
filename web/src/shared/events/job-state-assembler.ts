import type { Job, ProgressEvent, StreamEvent, StreamJob } from '#contract/entities/job.ts'
import { applyChanges, noText, withText, type PartialText } from '#contract/progress-text.ts'

/** An event as screens receive it: with whole jobs instead of their changes. */
export type JobEvent =
  { type: 'snapshot'; jobs: Job[] } | { type: 'job'; job: Job } | Extract<StreamEvent, { type: 'recording' | 'closed' }>

interface KnownJob {
  job: StreamJob
  text: PartialText
  /** Identifies the text, with the number of changes applied to it; null before the first one. */
  position: { textId: string; sequence: number } | null
}

/** Assembles the jobs of one event stream from their changes. */
export interface JobStateAssembler {
  /** Returns undefined for a change of an unknown job, and `missed` when an earlier event did not arrive. */
  handleEvent: (event: StreamEvent) => JobEvent | 'missed' | undefined
  /** Returns the events that bring a new reader to the current state. */
  replay: () => StreamEvent[]
}

export function createJobStateAssembler(): JobStateAssembler {
  const known = new Map<string, KnownJob>()

  function handleJob(job: StreamJob): Job {
    const before = known.get(job.id)
    const now = { job, text: before?.text ?? noText, position: before?.position ?? null }
    if (job.state === 'queued' || job.state === 'running') known.set(job.id, now)
    else known.delete(job.id)
    return toWhole(now)
  }

  function handleSnapshot(jobs: StreamJob[]): Job[] {
    const named = new Set(jobs.map(({ id }) => id))
    for (const id of known.keys()) if (!named.has(id)) known.delete(id)
    return jobs.map(handleJob)
  }

  function handleProgress({
    job_id,
    text_id,
    since,
    sequence,
    changes,
  }: ProgressEvent): JobEvent | 'missed' | undefined {
    const before = known.get(job_id)
    if (!before) return undefined
    const isNext = before.position?.textId === text_id && before.position.sequence === since
    if (since > 0 && !isNext) return 'missed'
    const text = applyChanges(since > 0 ? before.text : noText, changes)
    const now = { job: before.job, text, position: { textId: text_id, sequence } }
    known.set(job_id, now)
    return { type: 'job', job: toWhole(now) }
  }

  return {
    handleEvent(event) {
      if (event.type === 'snapshot') return { type: 'snapshot', jobs: handleSnapshot(event.jobs) }
      if (event.type === 'job') return { type: 'job', job: handleJob(event.job) }
      if (event.type === 'progress') return handleProgress(event)
      return event
    },
    replay() {
      const jobs = [...known.values()]
      return [{ type: 'snapshot', jobs: jobs.map(({ job }) => job) }, ...jobs.flatMap(toBeginning)]
    },
  }
}

function toWhole({ job, text }: KnownJob): Job {
  return { ...job, progress: job.progress && withText(job.progress, text) }
}

/** Returns the whole text as one change. */
function toBeginning({ job, text, position }: KnownJob): ProgressEvent[] {
  if (!position) return []
  const { textId: text_id, sequence } = position
  const start = { at: 0, removed: 0 }
  const changes = text.lines.length > 0 ? [{ ...start, lines: text.lines }] : [{ ...start, text: text.text }]
  return [{ type: 'progress', job_id: job.id, text_id, since: 0, sequence, changes }]
}
