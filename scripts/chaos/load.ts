import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Job, JobAccepted } from '#contract/entities/job.ts'
import { RecordingDetails, UploadResult } from '#contract/entities/recording.ts'
import type { Ledger, LedgerJob, LedgerUpload } from './ledger.ts'
import type { Person } from './person.ts'

const Added = z.object({ keyword: z.object({ id: z.string() }) })
const callFile = join(import.meta.dirname, '..', '..', 'models', 'demo', 'sample-call.mp3')
const pollMs = 700
/** Pause between two uploads that no job uses. */
const uploadEveryMs = 2_500
const pauseMs = 300
/** Maximum number of keywords per person; beyond it the oldest are removed. */
const maxKeywords = 60
/** Maximum number of recordings without a job per person; beyond it the oldest is deleted. */
const maxRecordings = 12

export interface Load {
  ledger: Ledger
  round: () => number
  /** No new work starts once it aborts; running work is followed to its end. */
  stopping: AbortSignal
}

/** The fields of a job that say how it ended, in events and responses. */
export type SeenJob = Pick<Job, 'id' | 'state' | 'finished_at' | 'attempt' | 'error'>

/** Records how a job ended, if it has ended. */
export function recordJobEnd(ledger: Ledger, job: SeenJob): void {
  const { id, state, finished_at: finishedAt, attempt, error } = job
  if (state === 'queued' || state === 'running') return
  ledger.noteEnd(
    id,
    { state, finishedAt: finishedAt ?? '', attempt, errorCode: error?.code ?? null },
    performance.now(),
  )
}

/** Uploads the demo call, has it transcribed and translated, renames it, and starts over, until `stopping` aborts. */
export async function keepWorking(person: Person, load: Load): Promise<void> {
  const call = await readFile(callFile)
  for (let count = 0; !load.stopping.aborted; count += 1) {
    const upload = await uploadCall(person, load, call, { title: `worked on ${count}`, isSpare: false })
    if (!upload) {
      await wait(pauseMs)
      continue
    }
    const path = '/api/transcribe'
    const transcription = await startJob(person, load, upload, {
      path,
      kind: 'transcribe',
      body: { file_id: upload.id },
    })
    if (!transcription || !(await waitForEnd(person, load, transcription))) continue
    await checkResult(person, load, upload, transcription)
    const body = { transcription_data: { transcription_id: transcription.id }, target_language: 'en' }
    const translation = await startJob(person, load, upload, {
      path: '/api/translate-speakers',
      kind: 'translate',
      body,
    })
    await rename(person, load, upload)
    const isDone = translation && (await waitForEnd(person, load, translation))
    if (isDone && count % 3 === 0) await remove(person, load.ledger, upload)
  }
}

/** Uploads the demo call and deletes the oldest recordings, until `stopping` aborts. */
export async function keepUploading(person: Person, load: Load): Promise<void> {
  const call = await readFile(callFile)
  for (let count = 0; !load.stopping.aborted; count += 1) {
    await uploadCall(person, load, call, { title: `spare ${count}`, isSpare: true })
    await deleteOldest(person, load)
    await wait(uploadEveryMs)
  }
}

/** Adds, removes and reads keywords, until `stopping` aborts. */
export async function keepEditing(person: Person, { ledger, round, stopping }: Load): Promise<void> {
  for (let count = 0; !stopping.aborted; count += 1) {
    const word = `word ${person.number}-${count}`
    const sentInRound = round()
    const { status, body } = await person.call('POST', '/api/auth/keywords/category/custom', {
      body: { keyword: word },
    })
    const added = Added.safeParse(body)
    if (status === 201 && added.success) {
      const { id } = added.data.keyword
      ledger.keywords.push({ word, person: person.number, id, round: sentInRound, state: 'kept' })
      ledger.counts.edits += 1
    }
    const kept = ledger.keywords.filter((entry) => entry.person === person.number && entry.state === 'kept')
    const oldest = kept[0]
    if (oldest && kept.length > maxKeywords) {
      oldest.state = 'unknown'
      const answer = await person.call('DELETE', `/api/auth/keywords/${oldest.id}`)
      if (answer.status === 200) {
        oldest.state = 'deleted'
        ledger.counts.edits += 1
      }
    }
    await person.call('GET', count % 2 === 0 ? '/api/recordings' : '/api/stats')
    await wait(pauseMs)
  }
}

/** Uploads the demo call with a unique title at its end (ID3v1), so that every upload is a different file. */
async function uploadCall(
  person: Person,
  load: Load,
  call: Buffer,
  { title, isSpare }: { title: string; isSpare: boolean },
): Promise<LedgerUpload | undefined> {
  const name = `${person.number} ${title}.mp3`
  const content = new Uint8Array(call.length + 128)
  content.set(call)
  content.set(Buffer.from(`TAG${name}`), call.length)
  const form = new FormData()
  form.append('audio', new Blob([content]), name)
  const round = load.round()
  const { status, body } = await person.call('POST', '/api/upload', { form, timeoutMs: 30_000 })
  const result = UploadResult.safeParse(body)
  if (status !== 201 || !result.success) return undefined
  const upload: LedgerUpload = {
    id: result.data.file_id,
    person: person.number,
    sha256: createHash('sha256').update(content).digest('hex'),
    round,
    name,
    state: 'kept',
    isVerified: false,
    isSpare,
  }
  load.ledger.uploads.push(upload)
  load.ledger.counts.uploads += 1
  return upload
}

/** Requests work until it is acknowledged, as people press a button repeatedly. A repeated request joins the first. */
async function startJob(
  person: Person,
  { ledger, round, stopping }: Load,
  upload: LedgerUpload,
  { path, kind, body }: { path: string; kind: LedgerJob['kind']; body: object },
): Promise<LedgerJob | undefined> {
  while (!stopping.aborted) {
    const sentInRound = round()
    const answer = await person.call('POST', path, { body, headers: { Prefer: 'respond-async' } })
    const accepted = JobAccepted.safeParse(answer.body)
    if (answer.status === 202 && accepted.success) {
      const id = accepted.data.job_id
      const at = { round: sentInRound, acknowledgedAtMs: performance.now() }
      ledger.addJob({ id, person: person.number, kind, recordingId: upload.id, ...at })
      return ledger.jobs.get(id)
    }
    if (answer.status === 404) {
      ledger.find('lost', upload.round, `recording ${upload.id} is not found when work on it is asked for`)
      return undefined
    }
    await wait(pollMs)
  }
  return undefined
}

/** Follows a job to its end. Resolves to true if it ended with a result. */
async function waitForEnd(person: Person, { ledger, stopping }: Load, job: LedgerJob): Promise<boolean> {
  while (!job.end && !stopping.aborted) {
    const { status, body } = await person.call('GET', `/api/jobs/${job.id}`)
    const parsed = Job.safeParse(body)
    if (status === 200 && parsed.success) recordJobEnd(ledger, parsed.data)
    if (status === 404) {
      ledger.find('lost', job.round, `job ${job.id} (${job.kind}) is gone`)
      return false
    }
    if (!job.end) await wait(pollMs)
  }
  return job.end?.state === 'done'
}

async function checkResult(person: Person, { ledger }: Load, upload: LedgerUpload, job: LedgerJob): Promise<void> {
  const { status, body } = await person.call('GET', `/api/recordings/${upload.id}`)
  const details = RecordingDetails.pick({ transcription: true }).safeParse(body)
  if (status !== 200 || !details.success) return
  if (details.data.transcription?.transcription_id !== job.id)
    ledger.find('lost', job.round, `the result of job ${job.id} is not at its recording`)
}

async function rename(person: Person, { ledger }: Load, upload: LedgerUpload): Promise<void> {
  const name = `renamed ${upload.name}`
  upload.possibleName = name
  const { status, body } = await person.call('PATCH', `/api/recordings/${upload.id}`, { body: { name } })
  if (status !== 200 || !z.object({ name: z.literal(name) }).safeParse(body).success) return
  upload.name = name
  delete upload.possibleName
  ledger.counts.edits += 1
}

/** Deletes the oldest recording without a job. */
async function deleteOldest(person: Person, { ledger }: Load): Promise<void> {
  const spare = ledger.uploads.filter(
    (upload) => upload.isSpare && upload.person === person.number && upload.state === 'kept',
  )
  const oldest = spare.find(({ isVerified }) => isVerified)
  if (oldest && spare.length > maxRecordings) await remove(person, ledger, oldest)
}

async function remove(person: Person, ledger: Ledger, upload: LedgerUpload): Promise<void> {
  upload.state = 'unknown'
  const { status } = await person.call('DELETE', `/api/recordings/${upload.id}`)
  if (status !== 200) return
  upload.state = 'deleted'
  ledger.counts.edits += 1
}
