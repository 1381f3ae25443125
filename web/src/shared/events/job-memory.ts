import type { Job, ProgressEvent, StreamEvent, StreamJob } from '#contract/entities/job.ts'
import { applyChanges, noText, withText, type PartialText } from '#contract/progress-text.ts'

/** An event as screens receive it: with whole jobs instead of their changes. */
export type JobEvent =
  { type: 'snapshot'; jobs: Job[] } | { type: 'job'; job: Job } | Extract<StreamEvent, { type: 'recording' | 'closed' }>

interface KnownJob {
  job: StreamJob
  text: PartialText
  /** Which text that is and how many changes it is made of; null before the first one. */
  place: { textId: string; sequence: number } | null
}

/** Assembles the jobs of one event stream from their changes. */
export interface JobMemory {
  /** Returns undefined for a change of an unknown job, and `missed` when an earlier event did not arrive. */
  take: (event: StreamEvent) => JobEvent | 'missed' | undefined
  /** Returns the events that bring a new reader to the current state. */
  replay: () => StreamEvent[]
}

export function createJobMemory(): JobMemory {
  const known = new Map<string, KnownJob>()

  function takeJob(job: StreamJob): Job {
    const before = known.get(job.id)
    const now = { job, text: before?.text ?? noText, place: before?.place ?? null }
    if (job.state === 'queued' || job.state === 'running') known.set(job.id, now)
    else known.delete(job.id)
    return toWhole(now)
  }

  function takeSnapshot(jobs: StreamJob[]): Job[] {
    const named = new Set(jobs.map(({ id }) => id))
    for (const id of known.keys()) if (!named.has(id)) known.delete(id)
    return jobs.map(takeJob)
  }

  function takeProgress({ job_id, text_id, since, sequence, changes }: ProgressEvent): JobEvent | 'missed' | undefined {
    const before = known.get(job_id)
    if (!before) return undefined
    const isNext = before.place?.textId === text_id && before.place.sequence === since
    if (since > 0 && !isNext) return 'missed'
    const text = applyChanges(since > 0 ? before.text : noText, changes)
    const now = { job: before.job, text, place: { textId: text_id, sequence } }
    known.set(job_id, now)
    return { type: 'job', job: toWhole(now) }
  }

  return {
    take(event) {
      if (event.type === 'snapshot') return { type: 'snapshot', jobs: takeSnapshot(event.jobs) }
      if (event.type === 'job') return { type: 'job', job: takeJob(event.job) }
      if (event.type === 'progress') return takeProgress(event)
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

/** The whole text as one change. */
function toBeginning({ job, text, place }: KnownJob): ProgressEvent[] {
  if (!place) return []
  const { textId: text_id, sequence } = place
  const start = { at: 0, removed: 0 }
  const changes = text.lines.length > 0 ? [{ ...start, lines: text.lines }] : [{ ...start, text: text.text }]
  return [{ type: 'progress', job_id: job.id, text_id, since: 0, sequence, changes }]
}
