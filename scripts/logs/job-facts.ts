import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProgressHead } from '#contract/progress-text.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { type EngineRecord, findLiveEngines } from '#data/engines/engines.ts'
import { countCheckpoints, type JobHistory, readRecordingLength } from '#data/health/job-history.ts'
import { readQueuePosition } from '#data/jobs/enqueue.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { selectedLanguages } from '#data/jobs/work-keys.ts'
import { EngineStatus } from '#contract/entities/engine.ts'
import { canRunJob, EngineFeatures } from '#data/engines/engine-features.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { commandForLines, type Installation } from './log-command.ts'

interface QueueView {
  /** Engines with a heartbeat in the last few seconds. */
  engines: readonly EngineRecord[]
  /** Starts at 1; null for a job that is not waiting for its turn. */
  position: number | null
}

const again = 'Its owner can start it again in the app.'
const forModels = 'npm run awaz -- models list shows what is installed, npm run awaz -- doctor what is wrong with it.'

const byCode: Partial<Record<ErrorCode, string>> = {
  unreadable_audio: `The file is damaged or no recording: it has to be uploaded again from its source. ${again}`,
  unsupported_audio: 'ffmpeg does not know this format: convert the file to WAV, FLAC or MP3 and upload that.',
  no_audio: 'There is no sound in the file; nothing can be done here.',
  unsupported_language: `No model in use knows the language. ${forModels}`,
  unsupported_pair: `No model in use translates between the languages. ${forModels}`,
  model_unavailable: `The model is missing, damaged or does not fit into memory. ${forModels} ${again}`,
  not_found: 'What the job was about was deleted meanwhile; there is nothing to do.',
  disk_full: `Free room in DATA_DIR (npm run awaz -- doctor says how much is missing). ${again}`,
  unavailable: `The servers of SPEECH_SERVERS or TRANSLATION_SERVERS did not answer; look at them, then at page System. ${again}`,
}

/** Advice by the system error code of the cause, which says more than the code of the error itself. */
const byCause: Record<string, string> = {
  ENOENT: 'A file is missing, such as the sound of the recording: npm run awaz -- doctor names what DATA_DIR lacks.',
  EACCES: 'Awaz may not read or write a file: compare the owner of DATA_DIR with the user that Awaz runs as.',
  EIO: 'The disk failed: journalctl -k says more. Back up, and replace it.',
}

const lost =
  'An engine that died in its work was mostly killed for memory: journalctl -k --grep "out of memory". Use a smaller model or fewer ENGINE_PROCESSES.'
const unknown = `The log says more, with the stack: see the command below. npm run awaz -- log-level debug shows each step of the next attempt. ${again}`

const continues = {
  queued: 'It is tried again by itself as soon as an engine is free.',
  running: 'Its next attempt runs already.',
}

/** Returns what a job is waiting for, as a sentence; null if it has ended. */
function describeWaiting(
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

const catalog = join(import.meta.dirname, '../../server/contract/texts/fa.json')
/** Replaces a value, which may be a name. */
const mask = '…'

/**
 * Returns a function that keeps only the product's own words of a sentence: a text of the interface is returned unchanged, or with its
 * values masked if it holds values; any other sentence, which may name files or people, becomes null.
 */
async function readOwnSentences(): Promise<(sentence: string) => string | null> {
  const texts = Object.keys(JSON.parse(await readFile(catalog, 'utf8')) as object) // an object of texts
  const exact = new Set(texts)
  const patterns = texts.filter((text) => /\{\d+\}/.test(text)).map(toPattern)
  return (sentence) => {
    if (exact.has(sentence)) return sentence
    for (const { matches, parts } of patterns) {
      const found = matches.exec(sentence)
      if (found) return fill(parts, found.slice(1))
    }
    return null
  }
}

/** Fills in the masked values; numbers are kept. */
function fill(parts: readonly string[], values: readonly string[]): string {
  const shown = values.map((value) => (/^[\d.,:]+$/.test(value) ? value : mask))
  return parts.map((part, index) => part + (shown[index] ?? '')).join('')
}

function toPattern(text: string): { matches: RegExp; parts: string[] } {
  const parts = text.split(/\{\d+\}/)
  const source = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('(.+)')
  return { matches: new RegExp(`^${source}$`, 's'), parts }
}

/** What is known about a job, without spoken words, names or file names. Times are Dates, which JSON writes in ISO 8601. */
export type JobFacts = Awaited<ReturnType<typeof collectFacts>>

export async function collectFacts(connection: DatabaseConnection, job: JobHistory, installation: Installation) {
  const [engines, position, checkpoints, recordingMs, ownSentence] = await Promise.all([
    findLiveEngines(connection),
    readQueuePosition(openQueue(connection), job),
    countCheckpoints(connection, job.id),
    job.recordingId === null ? null : readRecordingLength(connection, job.recordingId),
    readOwnSentences(),
  ])
  const attempts = job.attempts.map(({ message, ...attempt }) => ({
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    started_at: attempt.startedAt ?? null,
    ended_at: attempt.endedAt,
    duration_ms: attempt.startedAt ? attempt.endedAt.getTime() - attempt.startedAt.getTime() : null,
    ...engineFields(attempt),
    models: attempt.models ?? null,
    code: attempt.code ?? null,
    message: message === undefined ? null : ownSentence(message),
    cause: attempt.cause ?? null,
  }))
  const { attemptBegan: began } = job
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId,
    recording_ms: recordingMs,
    owner_id: job.ownerId,
    ...describeParams(job.params),
    queued_at: job.createdAt,
    started_at: job.startedAt,
    ended_at: job.finishedAt,
    attempts,
    running:
      job.state === 'running'
        ? {
            attempt: job.attempt,
            started_at: began?.at ?? null,
            ...engineFields(began ?? {}),
            lease_until: job.leaseUntil,
          }
        : null,
    progress: describeProgress(job.progress),
    checkpoints,
    waits_for: describeWaiting(job, { engines, position }),
    code: job.error?.code ?? null,
    message: job.error ? ownSentence(job.error.error) : null,
    next_steps: suggestNextSteps(job),
    log_command: commandForLines(installation, { jobId: job.id, since: job.createdAt }),
  }
}

function engineFields({ engineId, host, pid }: { engineId?: string; host?: string; pid?: number }) {
  return { engine_id: engineId ?? null, host: host ?? null, pid: pid ?? null }
}

/** Leaves out other parameters of a job: they may include names and topics. */
function describeParams(params: unknown) {
  const { data } = JobParams.safeParse(params)
  if (!data) return { languages: null, chosen_model: null }
  if (data.kind === 'translate') return { languages: [data.sourceLanguage, data.targetLanguage], chosen_model: null }
  return { languages: selectedLanguages(data), chosen_model: data.model }
}

function describeProgress(progress: unknown) {
  const { data } = ProgressHead.safeParse(progress)
  return data
    ? { done: data.current_segment, total: data.total_segments, seconds_left: data.seconds_left ?? null }
    : null
}

/** Returns what an administrator can do about a job, as sentences; none if all is well. */
function suggestNextSteps({ state, attempts, error }: Pick<JobHistory, 'state' | 'attempts' | 'error'>): string[] {
  const last = attempts.at(-1)
  const code = error?.code ?? last?.code
  if (state === 'done' || state === 'cancelled' || (state !== 'failed' && last === undefined)) return []
  const wasKilled = attempts.some(({ outcome, cause }) => outcome === 'lost' || cause?.includes('SIGKILL'))
  const mark = last?.cause?.split(' ').at(-1) ?? ''
  const about = wasKilled ? lost : (byCause[mark] ?? (code && byCode[code]) ?? unknown)
  return [about, ...(wasKilled ? [unknown] : []), ...(state === 'failed' ? [] : [continues[state]])]
}
