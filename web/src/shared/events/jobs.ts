import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Job, JobKind } from '#contract/entities/job.ts'
import { jobs as endpoints } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { call } from '../api/client.ts'
import { sessionQuery } from '../session/session.ts'
import type { JobEvent } from './job-state-assembler.ts'
import { recordingLists, refreshLists } from './refresh-lists.ts'
import { followEvents } from './shared-stream.ts'

type Jobs = Record<string, Job>

const jobsKey = ['jobs']
/** Jobs that have ended, in their last active state, while their results are being loaded. */
const endingKey = ['ending-jobs']
const noJobs: Jobs = {}

/** Whether a job is queued or running. */
export function isActive(job: Pick<Job, 'state'>): boolean {
  return job.state === 'queued' || job.state === 'running'
}

/** Active jobs are polled after this long without an event; an open stream reports progress more often than that. */
const pollAfterMs = 5000
/** Only this many active jobs are polled each time: with a thousand waiting, polling all would use up the rate limit. */
const maxPolled = 3

/**
 * Keeps the cache in sync with the server's events while `userId` is signed in. Mount it once. If the stream does not work, for example
 * behind a proxy that buffers it, active jobs are polled instead.
 */
export function useFollowJobs(userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let lastEventAtMs = performance.now()
    let hasSnapshot = false
    const stop = followEvents(userId, (event) => {
      lastEventAtMs = performance.now()
      applyEvent(client, event)
      // Recordings may have changed between two snapshots without an event.
      if (event.type === 'snapshot' && hasSnapshot) void refreshLists(client)
      if (event.type === 'snapshot') hasSnapshot = true
    })
    const timer = setInterval(() => {
      if (performance.now() - lastEventAtMs >= pollAfterMs) void pollActive(client)
    }, pollAfterMs)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [client, userId])
}

/** Polls active jobs, those on screen and those running first. A failed poll is simply followed by the next one. */
async function pollActive(client: QueryClient): Promise<void> {
  const known = Object.values(client.getQueryData<Jobs>(jobsKey) ?? noJobs)
  const onScreen = client.getQueriesData<RecordingDetails>({ queryKey: ['recording'] }).map(([, data]) => data?.job)
  const inOrder = [...onScreen, ...known.filter(({ state }) => state === 'running'), ...known]
  const ids = new Set(inOrder.filter((job) => job && isActive(job)).map((job) => job?.id ?? ''))
  await Promise.all(
    [...ids].slice(0, maxPolled).map(async (id) => {
      const job = await call(endpoints.get, { params: { id } }).catch(() => undefined)
      if (job) putJob(client, job)
    }),
  )
}

function applyEvent(client: QueryClient, event: JobEvent): void {
  if (event.type === 'job') putJob(client, event.job)
  if (event.type === 'snapshot') applySnapshot(client, event.jobs)
  if (event.type === 'recording') refreshChanged(client, event)
  if (event.type === 'closed' && event.reason !== 'shutdown') void client.invalidateQueries(sessionQuery)
}

/** Stores a job in the cache; if it has just ended, refetches its recording. */
export function putJob(client: QueryClient, job: Job): void {
  const before = client.getQueryData<Jobs>(jobsKey)?.[job.id]
  // A response may arrive after a newer event: a job that has ended stays ended.
  if (before && !isActive(before) && isActive(job)) return
  client.setQueryData<Jobs>(jobsKey, (jobs) => ({ ...jobs, [job.id]: job }))
  const hasJustEnded = !isActive(job) && (!before || isActive(before))
  if (!hasJustEnded || !job.recording_id) return
  if (job.state === 'done') void loadResult(client, { id: job.id, recordingId: job.recording_id, before })
  else refreshRecording(client, job.recording_id)
}

/** Applies a snapshot, which lists all active jobs: those that are active in the cache but not in the snapshot have ended since. */
function applySnapshot(client: QueryClient, jobs: Job[]): void {
  const named = new Set(jobs.map(({ id }) => id))
  const lost = Object.values(client.getQueryData<Jobs>(jobsKey) ?? noJobs).filter(
    (job) => isActive(job) && !named.has(job.id),
  )
  removeJobs(client, jobsKey, lost)
  for (const job of lost)
    if (job.recording_id) void loadResult(client, { id: job.id, recordingId: job.recording_id, before: job })
  for (const job of jobs) putJob(client, job)
}

interface EndedJob {
  id: string
  recordingId: string
  /** The job in its last known active state. */
  before: Job | undefined
}

/**
 * Fetches the recording of a job that has ended. Until it is loaded, its screen shows the job as it was: otherwise it would look as if the
 * job had never run, and anything started then would be rejected or done without the result.
 */
async function loadResult(client: QueryClient, { id, recordingId, before }: EndedJob): Promise<void> {
  const queryKey = ['recording', recordingId]
  const show = (job: Job) => client.setQueryData<Jobs>(endingKey, (jobs) => ({ ...jobs, [id]: job }))
  const readOpenJob = () => {
    const job = client.getQueryData<RecordingDetails>(queryKey)?.job
    return job?.id === id ? job : undefined
  }
  const shown = before ?? readOpenJob()
  if (shown) show(shown)
  void refreshLists(client)
  await client.invalidateQueries({ queryKey })
  const outdated = readOpenJob()
  if (outdated) {
    // A first fetch that was still in progress has only been awaited, not repeated: it was answered before the job ended.
    show(outdated)
    await client.invalidateQueries({ queryKey })
  }
  removeJobs(client, endingKey, [{ id }])
}

function removeJobs(client: QueryClient, queryKey: string[], removed: Pick<Job, 'id'>[]): void {
  const ids = new Set(removed.map(({ id }) => id))
  client.setQueryData<Jobs>(
    queryKey,
    (jobs) => jobs && Object.fromEntries(Object.entries(jobs).filter(([id]) => !ids.has(id))),
  )
}

/** The last announced `content_version` of each recording. */
const contentVersions = new WeakMap<QueryClient, Map<string, number | undefined>>()

/** The version that a change made in this tab gave a recording, until its event arrives. */
const ownVersions = new WeakMap<QueryClient, Map<string, number>>()

/** Remembers changes that this tab made and fetches itself: the events of these changes are ignored. */
export function expectOwnChanges(client: QueryClient, changes: { recording_id: string; version: number }[]): void {
  const expected = ownVersions.get(client) ?? new Map<string, number>()
  ownVersions.set(client, expected)
  for (const { recording_id: id, version } of changes) expected.set(id, version)
}

/** Returns whether an event announces exactly a change made in this tab. */
function isOwnChange(client: QueryClient, { recording_id: id, version }: RecordingEvent): boolean {
  const expected = ownVersions.get(client)
  const own = expected?.get(id)
  expected?.delete(id)
  return own !== undefined && own === version
}

type RecordingEvent = Extract<JobEvent, { type: 'recording' }>

/** Refetches only what changed: notes, reviewed hits and marks change often, and a recording has megabytes. */
function refreshChanged(client: QueryClient, event: RecordingEvent): void {
  const { recording_id: id, content_version: version } = event
  const known = contentVersions.get(client) ?? new Map<string, number | undefined>()
  contentVersions.set(client, known)
  const hasSameContent = version !== undefined && known.get(id) === version
  known.set(id, version)
  if (isOwnChange(client, event)) return
  const parts = ['notes', 'reviewed-hits', 'line-marks', ...(hasSameContent ? [] : ['recording'])]
  // Most of a thousand changes concern recordings that are not on screen: searching the cache for each would take long.
  for (const queryKey of parts.map((part) => [part, id])) {
    if (client.getQueryState(queryKey)) void client.invalidateQueries({ queryKey })
  }
  void refreshLists(client, hasSameContent ? ['alerts'] : ['alerts', ...recordingLists])
}

function refreshRecording(client: QueryClient, recordingId: string): void {
  void client.invalidateQueries({ queryKey: ['recording', recordingId] })
  void refreshLists(client)
}

function useJobs(queryKey: string[]): Jobs {
  // Filled only by events; the query function is there only because the cache requires one.
  return useQuery({ queryKey, queryFn: () => noJobs, enabled: false, initialData: noJobs }).data
}

/**
 * Returns the newest job of a kind that this browser knows for a recording, or `fallback`, from the recording itself. The job counts as
 * active until its result is loaded.
 */
export function useJob(recordingId: string, kind: JobKind, fallback: Job | null = null): Job | null {
  const jobs = { ...useJobs(jobsKey), ...useJobs(endingKey) }
  const known = Object.values(jobs).filter((job) => job.recording_id === recordingId && job.kind === kind)
  if (fallback?.kind === kind && !known.some(({ id }) => id === fallback.id)) known.push(fallback)
  return findNewest(known)
}

/** Returns the newest job of any kind that this browser knows for a recording; null if there is none. */
export function useRecordingJob(recordingId: string): Job | null {
  return useQuery({
    queryKey: jobsKey,
    queryFn: () => noJobs,
    enabled: false,
    initialData: noJobs,
    select: (known) => findNewest(Object.values(known).filter((job) => job.recording_id === recordingId)),
  }).data
}

function findNewest(known: Job[]): Job | null {
  return known.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0] ?? null
}
