import type { z } from 'zod'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { Recording, RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'
import { noLineEdits } from '#contract/line-edits.ts'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { latestDone, listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription, listTranscriptions } from '#data/recordings/versions.ts'
import { correctDialogue, correctTranslation } from './correct-results.ts'
import { presentJob } from './present-job.ts'
import { correctionsVersion, createChangesReader, type ChangesReader } from './speaker-corrections.ts'
import { presentRequest } from './transcription-request.ts'

/** Returns recordings of one owner with the state of their jobs, read in one query. */
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
  const byRecording = Map.groupBy(jobs, (job) => job.recordingId)
  return Promise.all(
    recordings.map((recording) =>
      presentOne(queue, recording, byRecording.get(recording.id) ?? [], { hasText: false }),
    ),
  )
}

/**
 * Returns a recording with its current transcription, and the translations and the diarization of that one, or else the latest; corrections
 * of speakers are applied to all but the transcription itself.
 */
export async function presentDetails(
  queue: Queue,
  recording: RecordingRecord,
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

/** Returns the result of a translation with the speakers that people gave its lines; null where there is none. */
export async function readTranslation(
  queue: Queue,
  job: JobRecord,
  readChanges: ChangesReader,
): Promise<StoredTranslation | null> {
  const translation = await readResult(queue, job.ownerId, job.id, 'translate')
  const source = sourceOf(job)
  if (!translation || source === null) return translation && { ...translation, transcription_id: null }
  return { ...correctTranslation(translation, await readChanges(source)), transcription_id: source }
}

/** Changes a dialogue as people changed its own transcription; one without words has the corrections of the current one. */
async function readDialogue(
  diarization: DiarizationResult,
  { readChanges, corrections }: { readChanges: ChangesReader; corrections: SpeakerCorrections },
): Promise<DiarizationResult> {
  const { transcription_id: id } = diarization
  return correctDialogue(diarization, id ? await readChanges(id) : { corrections, edited: null })
}

/** Returns the finished translation to each language: the latest of a transcription, or else of any text of the recording. */
export function chooseTranslations(jobs: JobRecord[], transcriptionId: string | undefined): JobRecord[] {
  const done = jobs.filter((job) => job.kind === 'translate' && job.state === 'done')
  return [...Map.groupBy(done, (job) => job.targetLanguage).values()].flatMap((group) => {
    const own = group.find((job) => transcriptionId !== undefined && sourceOf(job) === transcriptionId)
    return own ?? group[0] ?? []
  })
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

/** Returns the id of the transcription that a translation or diarization was made of; null for none. */
function sourceOf({ params }: JobRecord): string | null {
  const { data } = JobParams.safeParse(params)
  return data && 'transcriptionId' in data ? data.transcriptionId : null
}

/** `hasText` includes the text so far of an open job. */
async function presentOne(
  queue: Queue,
  recording: RecordingRecord,
  jobs: JobRecord[],
  { hasText }: { hasText: boolean },
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
    job: open ? await presentJob(queue, open, { hasText }) : null,
    created_at: recording.createdAt.toISOString(),
  }
}
