import type { z } from 'zod'
import type { Recording, RecordingDetails } from '#contract/entities/recording.ts'
import { isHeld } from '#data/holds/held.ts'
import { readQueuePositions } from '#data/jobs/enqueue.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { latestDone, listJobsOfRecordings } from '#data/jobs/results.ts'
import type { AccessibleRecording } from '#data/recordings/access.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { chooseTranslations, sourceOf } from '#data/recordings/stored-translations.ts'
import { currentTranscription, listTranscriptions } from '#data/recordings/versions.ts'
import { presentJob } from './present-job.ts'
import { pickCorrections, type PresentedResults, type ResultSelection } from './present-results.ts'
import { correctionsVersion } from './speaker-corrections.ts'
import { presentRequest } from './transcription-request.ts'

interface PresentedRecording {
  shown: z.input<typeof Recording>
  /** All jobs of the recording, last finished first. */
  jobs: JobRecord[]
}

/** Presents recordings of one owner with the state of their jobs, read in one query. */
export async function presentRecordings(
  queue: Queue,
  recordings: RecordingRecord[],
): Promise<z.input<typeof Recording>[]> {
  const owner = recordings[0]?.ownerId
  if (!owner) return []
  const jobs = await listJobsOfRecordings(
    queue,
    owner,
    recordings.map(({ id }) => id),
  )
  return (await presentWithJobs(queue, recordings, jobs)).map(({ shown }) => shown)
}

/** Presents recordings like presentRecordings. `jobs` are those of all of them, last finished first. */
export async function presentWithJobs(
  queue: Queue,
  recordings: RecordingRecord[],
  jobs: JobRecord[],
): Promise<PresentedRecording[]> {
  const byRecording = Map.groupBy(jobs, (job) => job.recordingId)
  const positions = jobs.some(({ state }) => state === 'queued') ? await readQueuePositions(queue) : undefined
  return Promise.all(
    recordings.map(async (recording) => {
      const own = byRecording.get(recording.id) ?? []
      return { jobs: own, shown: await presentOne(queue, recording, own, { hasText: false, positions }) }
    }),
  )
}

/** The details of a recording without its results. */
export type DetailsWithoutResults = Omit<z.input<typeof RecordingDetails>, keyof PresentedResults>

/** The plan for a recording's details: the results, which may be long, have yet to be read. */
export interface DetailsPlan {
  head: DetailsWithoutResults
  results: ResultSelection
}

/**
 * Plans the details of a recording: its current transcription, with the translations and diarization of that transcription, or else the
 * latest.
 */
export async function planDetails(queue: Queue, recording: AccessibleRecording): Promise<DetailsPlan> {
  const { ownerId } = recording
  const jobs = await listJobsOfRecordings(queue, ownerId, [recording.id])
  const transcription = currentTranscription(recording, jobs)
  const diarization = chooseDiarization(jobs, transcription?.id)
  const shown = await presentOne(queue, recording, jobs, { hasText: true })
  return {
    head: {
      ...shown,
      access: recording.access,
      transcription_request: transcription ? presentRequest(transcription) : null,
      version_count: listTranscriptions(jobs).length,
      speaker_corrections_version: correctionsVersion(recording, jobs),
    },
    results: {
      recording: pickCorrections(recording),
      transcriptionId: transcription?.id,
      translations: chooseTranslations(jobs, transcription?.id).map(toShownJob),
      diarization: diarization && toShownJob(diarization),
    },
  }
}

function toShownJob({ id, params }: JobRecord) {
  return { id, params }
}

/** Returns the languages into which a transcription has been translated. */
export function translatedLanguages(jobs: JobRecord[], transcriptionId: string): string[] {
  const own = chooseTranslations(jobs, transcriptionId).filter((job) => sourceOf(job) === transcriptionId)
  return own.flatMap(({ targetLanguage }) => targetLanguage ?? [])
}

/** Returns the finished diarization of a transcription, or else the latest one. */
function chooseDiarization(jobs: JobRecord[], transcriptionId: string | undefined): JobRecord | undefined {
  const own = jobs.find((job) => {
    const isDone = job.kind === 'diarize' && job.state === 'done'
    return isDone && transcriptionId !== undefined && sourceOf(job) === transcriptionId
  })
  return own ?? latestDone(jobs, 'diarize')
}

/** `hasText` includes the text so far of an open job; `positions` are those of all waiting jobs, if they were read. */
async function presentOne(
  queue: Queue,
  recording: RecordingRecord,
  jobs: JobRecord[],
  options: { hasText: boolean; positions?: Map<string, number> | undefined },
) {
  const transcription = currentTranscription(recording, jobs)
  const open = jobs.find((job) => !hasEnded(job))
  return {
    id: recording.id,
    name: recording.name,
    size: recording.sizeBytes,
    duration: recording.durationMs / 1000,
    channels: recording.channels,
    is_stereo: recording.isStereo,
    peaks: recording.peaks,
    language: transcription?.languages[0] ?? null,
    languages: transcription?.languages ?? [],
    transcription_id: transcription?.id ?? null,
    target_languages: chooseTranslations(jobs, transcription?.id).flatMap((job) => job.targetLanguage ?? []),
    job: open ? await presentJob(queue, open, options) : null,
    created_at: recording.createdAt.toISOString(),
    ...(isHeld(recording) && { is_held: true as const }),
  }
}
