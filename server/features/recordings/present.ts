import type { z } from 'zod'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { Recording, RecordingDetails } from '#contract/entities/recording.ts'
import { noLineEdits } from '#contract/line-edits.ts'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { readQueuePositions } from '#data/jobs/enqueue.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { latestDone, listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'
import { correctDialogue } from '#data/recordings/correct-results.ts'
import type { AccessibleRecording } from '#data/recordings/access.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { chooseTranslations, readTranslation, sourceOf } from '#data/recordings/stored-translations.ts'
import { createChangesReader, type TranscriptionChangesReader } from '#data/recordings/transcription-changes.ts'
import { currentTranscription, listTranscriptions } from '#data/recordings/versions.ts'
import { presentJob } from './present-job.ts'
import { correctionsVersion } from './speaker-corrections.ts'
import { presentRequest } from './transcription-request.ts'

interface PresentedRecording {
  shown: z.input<typeof Recording>
  /** All of the recording, the last finished first. */
  jobs: JobRecord[]
}

/** Returns recordings of one owner with the state of their jobs, read in one query. */
export async function presentRecordings(
  queue: Queue,
  recordings: RecordingRecord[],
): Promise<z.input<typeof Recording>[]> {
  return (await presentWithJobs(queue, recordings)).map(({ shown }) => shown)
}

/** Returns recordings as presentRecordings does, with the jobs that were read for them. */
export async function presentWithJobs(queue: Queue, recordings: RecordingRecord[]): Promise<PresentedRecording[]> {
  const owner = recordings[0]?.ownerId
  if (!owner) return []
  const jobs = await listJobsOfRecordings(
    queue,
    owner,
    recordings.map(({ id }) => id),
  )
  const byRecording = Map.groupBy(jobs, (job) => job.recordingId)
  const positions = jobs.some(({ state }) => state === 'queued') ? await readQueuePositions(queue) : undefined
  return Promise.all(
    recordings.map(async (recording) => {
      const own = byRecording.get(recording.id) ?? []
      return { jobs: own, shown: await presentOne(queue, recording, own, { hasText: false, positions }) }
    }),
  )
}

/**
 * Returns a recording with its current transcription, and the translations and the diarization of that one, or else the latest; corrections
 * of speakers are applied to all but the transcription itself.
 */
export async function presentDetails(
  queue: Queue,
  recording: AccessibleRecording,
): Promise<z.input<typeof RecordingDetails>> {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
  const transcription = currentTranscription(recording, jobs)
  const diarization = chooseDiarization(jobs, transcription?.id)
  const [shown, ...results] = await Promise.all([
    presentOne(queue, recording, jobs, { hasText: true }),
    transcription && readResult(queue, recording.ownerId, transcription.id, 'transcribe'),
    diarization && readResult(queue, recording.ownerId, diarization.id, 'diarize'),
  ])
  const readChanges = createChangesReader(queue, recording)
  const translations = await Promise.all(
    chooseTranslations(jobs, transcription?.id).map((job) => readTranslation(queue, job, readChanges)),
  )
  const { corrections } = await readChanges(transcription?.id)
  return {
    ...shown,
    access: recording.access,
    transcription: results[0] ?? null,
    translations: translations.filter((translation) => translation !== null),
    line_edits: transcription
      ? await findLineEdits(queue.connection, recording.ownerId, transcription.id)
      : noLineEdits,
    transcription_request: transcription ? presentRequest(transcription) : null,
    version_count: listTranscriptions(jobs).length,
    diarization: results[1] ? await readDialogue(results[1], { readChanges, corrections }) : null,
    speaker_corrections: corrections,
    speaker_corrections_version: correctionsVersion(recording, jobs),
  }
}

/** Changes a dialogue as people changed its own transcription; one without words has the corrections of the current one. */
async function readDialogue(
  diarization: DiarizationResult,
  { readChanges, corrections }: { readChanges: TranscriptionChangesReader; corrections: SpeakerCorrections },
): Promise<DiarizationResult> {
  const { transcription_id: id } = diarization
  return correctDialogue(diarization, id ? await readChanges(id) : { corrections, edited: null })
}

/** Returns the languages into which a transcription is translated. */
export function translatedLanguages(jobs: JobRecord[], transcriptionId: string): string[] {
  const own = chooseTranslations(jobs, transcriptionId).filter((job) => sourceOf(job) === transcriptionId)
  return own.flatMap(({ targetLanguage }) => targetLanguage ?? [])
}

/** Returns the finished diarization of a transcription, or else the latest. */
function chooseDiarization(jobs: JobRecord[], transcriptionId: string | undefined): JobRecord | undefined {
  const own = jobs.find((job) => {
    const isDone = job.kind === 'diarize' && job.state === 'done'
    return isDone && transcriptionId !== undefined && sourceOf(job) === transcriptionId
  })
  return own ?? latestDone(jobs, 'diarize')
}

/** `hasText` includes the text so far of an open job; `positions` are those of all waiting jobs, where they were read. */
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
  }
}
