import { copyFile, mkdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Types } from 'mongoose'
import type { TranscriptionLanguage } from '#contract/languages.ts'
import { enqueueJob } from '#data/jobs/enqueue.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { startEngineProcess, type TestProcess } from '#testing/processes.ts'

export interface ThroughputOptions {
  queue: Queue
  database: { uri: string; dbName: string }
  dataDir: string
  /** Files to transcribe, again from the start where `count` is greater. */
  clips: string[]
  count: number
  language: TranscriptionLanguage
  engines: number
  env: Record<string, string>
}

export interface ThroughputResult {
  /** From the first job that began to the last that ended, by the database's clock. */
  seconds: number
  /** Jobs of each engine. */
  shares: number[]
  /** What is wrong with it; empty where each clip was done once. */
  faults: string[]
  /** What was written, clip by clip. */
  texts: string[]
}

const owners = [1, 2, 3, 4].map(() => new Types.ObjectId())
const pollMs = 250

/** Queues clips of four users for some engines of one thread each, waits for all, and counts in the database what became of them. */
export async function race(options: ThroughputOptions): Promise<ThroughputResult> {
  const { queue, database, dataDir, engines: count, env } = options
  await queue.jobs.deleteMany({})
  const start = () => startEngineProcess({ dataDir, database, env: { ENGINE_THREADS: '1', ...env } })
  const engines = await Promise.all(Array.from({ length: count }, start))
  try {
    const jobs = await queueClips(options)
    while (await queue.jobs.exists({ state: { $in: ['queued', 'running'] } })) await wait(pollMs)
    return await judge(queue, jobs, engines)
  } finally {
    await Promise.all(engines.map((engine) => engine.end('SIGTERM')))
  }
}

async function queueClips({ queue, dataDir, clips, count, language }: ThroughputOptions): Promise<Types.ObjectId[]> {
  const ids: Types.ObjectId[] = []
  for (let index = 0; index < count; index += 1) {
    const path = clips[index % clips.length] ?? ''
    const ownerId = owners[index % owners.length] ?? new Types.ObjectId()
    const recordingId = await storeClip(queue, { dataDir, path, ownerId })
    const params = { kind: 'transcribe' as const, language, channelLanguages: null, names: [] }
    const workKey = `scale:${recordingId.toHexString()}`
    const { job } = await enqueueJob(queue, { ownerId, recordingId, params, workKey })
    ids.push(job._id)
  }
  return ids
}

async function storeClip(
  queue: Queue,
  { dataDir, path, ownerId }: { dataDir: string; path: string; ownerId: Types.ObjectId },
): Promise<Types.ObjectId> {
  const _id = new Types.ObjectId()
  const id = _id.toHexString()
  const extension = extname(path).slice(1)
  const folder = join(dataDir, 'audio', id.slice(-2))
  await mkdir(folder, { recursive: true })
  await copyFile(path, join(folder, `${id}.${extension}`))
  const { size } = await stat(path)
  const facts = { name: `${id}.${extension}`, extension, sizeBytes: size, sha256: 'none', durationMs: 4000 }
  await insertRecording(queue.connection, { _id, ownerId, ...facts, channels: 1, isStereo: false, peaks: [] })
  return _id
}

async function judge(queue: Queue, ids: Types.ObjectId[], engines: TestProcess[]): Promise<ThroughputResult> {
  const jobs = await queue.jobs.find({ _id: { $in: ids } }, { result: 0 }).lean()
  const doneBy = engines.map(({ lines }) =>
    lines.filter(({ msg }) => msg === 'job done').map(({ jobId }) => String(jobId)),
  )
  const faults = [
    ...jobs.filter(({ state }) => state !== 'done').map((job) => `${job._id.toHexString()} is ${job.state}`),
    ...jobs
      .filter(({ attempt }) => attempt !== 1)
      .map((job) => `${job._id.toHexString()} was begun ${job.attempt} times`),
    ...findTwice(doneBy.flat()).map((id) => `${id} was done twice`),
    ...(jobs.length === ids.length ? [] : [`${ids.length - jobs.length} are lost`]),
  ]
  const texts: string[] = []
  for (const id of ids)
    texts.push(
      await readText(
        queue,
        jobs.find(({ _id }) => _id.equals(id)),
      ),
    )
  const began = jobs.map(({ startedAt }) => startedAt?.getTime() ?? Number.NaN)
  const ended = jobs.map(({ finishedAt }) => finishedAt?.getTime() ?? Number.NaN)
  const seconds = (Math.max(...ended) - Math.min(...began)) / 1000
  return { seconds, faults, texts, shares: doneBy.map(({ length }) => length) }
}

async function readText(
  queue: Queue,
  job: { _id: Types.ObjectId; ownerId: Types.ObjectId } | undefined,
): Promise<string> {
  if (!job) return ''
  return (await readResult(queue, job.ownerId, job._id, 'transcribe'))?.transcription ?? '(no result)'
}

function findTwice(ids: string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
