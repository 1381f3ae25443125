import { copyFile, mkdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { TranscriptionLanguage } from '#contract/languages.ts'
import { newId } from '#data/ids.ts'
import { enqueueJob } from '#data/jobs/enqueue.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { startEngineProcess, type TestProcess } from '#testing/processes.ts'
import { countJobs, deleteAllJobs, listJobs } from '#testing/stored-work.ts'

export interface ThroughputOptions {
  queue: Queue
  database: { uri: string; dbName: string }
  dataDir: string
  /** Files to transcribe, repeated from the start if `count` is greater. */
  clips: string[]
  count: number
  language: TranscriptionLanguage
  engines: number
  env: Record<string, string>
}

export interface ThroughputResult {
  /** From the start of the first job to the end of the last, by the database's clock. */
  seconds: number
  /** Number of jobs of each engine. */
  shares: number[]
  /** What went wrong; empty if each clip was done once. */
  faults: string[]
  /** What was written, clip by clip. */
  texts: string[]
}

const owners = [1, 2, 3, 4].map(() => newId())
const pollMs = 250

/** Queues clips of four users for some single-threaded engines, waits for all, and counts the outcomes in the database. */
export async function race(options: ThroughputOptions): Promise<ThroughputResult> {
  const { queue, database, dataDir, engines: count, env } = options
  await deleteAllJobs(queue)
  const start = () => startEngineProcess({ dataDir, database, env: { ENGINE_THREADS: '1', ...env } })
  const engines = await Promise.all(Array.from({ length: count }, start))
  try {
    const jobs = await queueClips(options)
    while ((await countJobs(queue, { state: 'queued' })) + (await countJobs(queue, { state: 'running' })) > 0)
      await wait(pollMs)
    return await judge(queue, jobs, engines)
  } finally {
    await Promise.all(engines.map((engine) => engine.end('SIGTERM')))
  }
}

async function queueClips({ queue, dataDir, clips, count, language }: ThroughputOptions): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const path = clips[index % clips.length] ?? ''
    const ownerId = owners[index % owners.length] ?? newId()
    const recordingId = await storeClip(queue, { dataDir, path, ownerId })
    const params = { kind: 'transcribe' as const, language, channelLanguages: null, names: [] }
    const workKey = `scale:${recordingId}`
    const { job } = await enqueueJob(queue, { ownerId, recordingId, params, workKey })
    ids.push(job.id)
  }
  return ids
}

async function storeClip(
  queue: Queue,
  { dataDir, path, ownerId }: { dataDir: string; path: string; ownerId: string },
): Promise<string> {
  const id = newId()
  const extension = extname(path).slice(1)
  const folder = join(dataDir, 'audio', id.slice(-2))
  await mkdir(folder, { recursive: true })
  await copyFile(path, join(folder, `${id}.${extension}`))
  const { size } = await stat(path)
  const facts = { name: `${id}.${extension}`, extension, sizeBytes: size, sha256: 'none', durationMs: 4000 }
  await insertRecording(queue.connection, { id, ownerId, ...facts, channels: 1, isStereo: false, peaks: [] })
  return id
}

async function judge(queue: Queue, ids: string[], engines: TestProcess[]): Promise<ThroughputResult> {
  const jobs = await listJobs(queue, { ids })
  const doneBy = engines.map(({ lines }) =>
    lines.filter(({ msg }) => msg === 'job done').map(({ jobId }) => String(jobId)),
  )
  const faults = [
    ...jobs.filter(({ state }) => state !== 'done').map((job) => `${job.id} is ${job.state}`),
    ...jobs.filter(({ attempt }) => attempt !== 1).map((job) => `${job.id} was begun ${job.attempt} times`),
    ...findTwice(doneBy.flat()).map((id) => `${id} was done twice`),
    ...(jobs.length === ids.length ? [] : [`${ids.length - jobs.length} are lost`]),
  ]
  const texts: string[] = []
  const byId = new Map(jobs.map((job) => [job.id, job]))
  for (const id of ids) texts.push(await readText(queue, byId.get(id)))
  const began = jobs.map(({ startedAt }) => startedAt?.getTime() ?? Number.NaN)
  const ended = jobs.map(({ finishedAt }) => finishedAt?.getTime() ?? Number.NaN)
  const seconds = (Math.max(...ended) - Math.min(...began)) / 1000
  return { seconds, faults, texts, shares: doneBy.map(({ length }) => length) }
}

async function readText(queue: Queue, job: { id: string; ownerId: string } | undefined): Promise<string> {
  if (!job) return ''
  return (await readResult(queue, job.ownerId, job.id, 'transcribe'))?.transcription ?? '(no result)'
}

function findTwice(ids: string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
