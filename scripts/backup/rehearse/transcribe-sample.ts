import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { newId } from '#data/ids.ts'
import { claimJob } from '#data/jobs/claim.ts'
import { keepModelsLoaded } from '#engine/jobs/loaded-models.ts'
import { runJob } from '#engine/jobs/job-runner.ts'
import { watchModels } from '#engine/jobs/watch-models.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { availableThreads } from '#engine/threads.ts'
import type { RehearsalCheck } from './rehearsal-check.ts'
import type { ScratchInstance } from './scratch-instance.ts'

const sampleCall = join(bundledModelsDir, 'demo', 'sample-call')
const sampleLanguages = ['ps', 'en'] as const
const callTimeoutMs = 10 * 60_000

const Uploaded = z.object({ file_id: z.string() })
const Started = z.object({ job_id: z.string() })
const EndedJob = z.object({ state: z.string(), error: z.object({ message: z.string() }).nullish() })
const Line = z.object({ text: z.string() })
const Details = z.object({ transcription: z.object({ segments: z.array(Line) }) })
const Sample = z.object({ lines: z.array(Line) })

interface SampleOptions {
  /** Access token of an account of the instance. */
  token: string
  signal?: AbortSignal | undefined
}

const outcome = (expected: string, found: string, isPassed: boolean): RehearsalCheck => {
  return { code: 'transcription', name: 'transcription of the sample call', expected, found, isPassed }
}

/**
 * Uploads the sample call to a restored instance and transcribes it there as an engine does, with the demo model: other weights are
 * usually not in the backup. No other job of the instance is run. Where this machine has no model, the check reports that without
 * failing.
 */
export async function transcribeSample(
  instance: ScratchInstance,
  { token, signal = new AbortController().signal }: SampleOptions,
): Promise<RehearsalCheck> {
  const { config, work } = instance
  const log = pino({ level: 'silent' })
  const models = await watchModels(config, log)
  if (!models.current().features.speech) return outcome('a model on this machine', 'none on this machine', true)
  const expected = Sample.parse(JSON.parse(await readFile(`${sampleCall}.json`, 'utf8'))).lines
  const loaded = keepModelsLoaded({ threads: availableThreads(), idleMs: 0, modelsDir: config.modelsDir })
  try {
    const recordingId = await uploadSample(instance, token)
    const jobId = await queueSample(instance, { token, recordingId })
    const job = await claimJob(work.queue, newId(), { canRun: ({ id }) => id === jobId })
    if (!job) throw new Error('The job is not in the queue.')
    const { modelsDir, maxAudioMs } = config
    const context = { ...work, modelsDir, maxAudioMs, log, tempDir: join(config.dataDir, 'tmp') }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)])
    await loaded.during(() => runJob({ ...context, loaded, refreshModels: models.refresh }, job, limit))
    signal.throwIfAborted()
    const found = await readLines(instance, { token, recordingId, jobId })
    const equal = found.filter(({ text }, index) => text === expected[index]?.text).length
    return outcome(`${expected.length} lines`, `${found.length} lines, ${equal} as expected`, equal > 0)
  } catch (error) {
    signal.throwIfAborted()
    return outcome(`${expected.length} lines`, error instanceof Error ? error.message : String(error), false)
  } finally {
    await loaded.close()
  }
}

async function uploadSample({ call }: ScratchInstance, token: string): Promise<string> {
  const form = new FormData()
  form.append('audio', new Blob([await readFile(`${sampleCall}.mp3`)]), 'sample-call.mp3')
  const { status, body } = await call('POST', '/api/upload', { token, form })
  const uploaded = Uploaded.safeParse(body)
  if (!uploaded.success) throw new Error(`upload: status ${status}`)
  return uploaded.data.file_id
}

async function queueSample(
  { call }: ScratchInstance,
  { token, recordingId }: { token: string; recordingId: string },
): Promise<string> {
  const choice = { file_id: recordingId, language: sampleLanguages[0], channel_languages: sampleLanguages }
  const { status, body } = await call('POST', '/api/transcribe', { token, body: choice, isAsync: true })
  const started = Started.safeParse(body)
  if (!started.success) throw new Error(`start: status ${status}`)
  return started.data.job_id
}

/** @throws Error with the message of a job that failed */
async function readLines(
  { call }: ScratchInstance,
  { token, recordingId, jobId }: { token: string; recordingId: string; jobId: string },
): Promise<z.infer<typeof Line>[]> {
  const job = EndedJob.parse((await call('GET', `/api/jobs/${jobId}`, { token })).body)
  if (job.state !== 'done') throw new Error(job.error?.message ?? `the job is ${job.state}`)
  const { body } = await call('GET', `/api/recordings/${recordingId}`, { token })
  return Details.parse(body).transcription.segments
}
