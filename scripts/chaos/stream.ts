import { EventSourceParserStream } from 'eventsource-parser/stream'
import { setTimeout as wait } from 'node:timers/promises'
import { StreamEvent } from '#contract/entities/job.ts'
import type { SeenJob } from './load.ts'
import type { Person } from './person.ts'

const reconnectMs = 500

/** The event stream of a person, reopened whenever it ends. */
export interface FollowedEvents {
  /** Time since when the open stream has been delivering; undefined while none is open. */
  openSinceMs(): number | undefined
  /** Whether a stream reported the end of a job. */
  hasSeenEnd(jobId: string): boolean
}

/** Follows a person's events until the signal aborts, and calls `onJob` for every job in them. */
export function followEvents(
  person: Person,
  { url, signal, onJob }: { url: string; signal: AbortSignal; onJob: (job: SeenJob) => void },
): FollowedEvents {
  const ended = new Set<string>()
  let openSinceMs: number | undefined

  function note(job: SeenJob) {
    if (job.state !== 'queued' && job.state !== 'running') ended.add(job.id)
    onJob(job)
  }

  async function follow() {
    const response = await fetch(new URL('/api/events', url), {
      headers: { Authorization: `Bearer ${person.token()}` },
      signal,
    })
    if (response.status === 401) await person.call('GET', '/api/auth/profile') // renews the session
    if (!response.ok || !response.body) return
    const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for await (const message of messages) {
      const event = StreamEvent.parse(JSON.parse(message.data))
      openSinceMs ??= performance.now()
      if (event.type === 'snapshot') event.jobs.forEach(note)
      if (event.type === 'job') note(event.job)
    }
  }

  async function keepFollowing() {
    while (!signal.aborted) {
      await follow().catch(() => undefined) // lost; it is reopened
      openSinceMs = undefined
      await wait(reconnectMs)
    }
  }

  void keepFollowing()
  return { openSinceMs: () => openSinceMs, hasSeenEnd: (id) => ended.has(id) }
}
