import { Types } from 'mongoose'
import type { z } from 'zod'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { Recording, RecordingDetails } from '#contract/entities/recording.ts'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranslationResult } from '#contract/translation.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { latestDone, listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import type { RecordingDocument } from '#data/recordings/recording-model.ts'
import { hasEnded } from '../jobs/wait-for-job.ts'
import { presentJob } from '../jobs/present.ts'
import { correctDialogue, correctTranslation } from './correct-results.ts'
import { correctionsVersion, createCorrectionsReader, type CorrectionsReader } from './speaker-corrections.ts'

/** Recordings with what is known of their work: one question to the database for all of them. */
export async function presentRecordings(
  queue: Queue,
  recordings: RecordingDocument[],
): Promise<z.input<typeof Recording>[]> {
  const owner = recordings[0]?.ownerId
  if (!owner) return []
  const jobs = await listJobsOfRecordings(
    queue,
    owner,
    recordings.map(({ _id }) => _id),
  )
  const byRecording = Map.groupBy(jobs, (job) => job.recordingId?.toHexString())
  return Promise.all(
    recordings.map((recording) =>
      presentOne(queue, recording, byRecording.get(recording._id.toHexString()) ?? [], { hasText: false }),
    ),
  )
}

/**
 * A recording with the latest transcription, the latest translation to each language and the latest diarization; corrections of speakers
 * are applied to all but the transcription itself.
 */
export async function presentDetails(
  queue: Queue,
  recording: RecordingDocument,
): Promise<z.input<typeof RecordingDetails>> {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording._id])
  const transcription = latestDone(jobs, 'transcribe')
  const diarization = latestDone(jobs, 'diarize')
  const [shown, ...results] = await Promise.all([
    presentOne(queue, recording, jobs, { hasText: true }),
    transcription && readResult(queue, recording.ownerId, transcription._id, 'transcribe'),
    diarization && readResult(queue, recording.ownerId, diarization._id, 'diarize'),
  ])
  const readCorrections = createCorrectionsReader(queue, recording)
  const translations = await Promise.all(
    latestTranslations(jobs).map((job) => readTranslation(queue, job, readCorrections)),
  )
  const corrections = await readCorrections(transcription?._id)
  return {
    ...shown,
    transcription: results[0] ?? null,
    translations: translations.filter((translation) => translation !== null),
    diarization: results[1] ? await readDialogue(results[1], { readCorrections, corrections }) : null,
    speaker_corrections: corrections,
    speaker_corrections_version: correctionsVersion(recording, jobs),
  }
}

/** The result of a translation with the corrected speakers of what was translated; null where there is none. */
export async function readTranslation(
  queue: Queue,
  job: JobRecord,
  readCorrections: CorrectionsReader,
): Promise<TranslationResult | null> {
  const translation = await readResult(queue, job.ownerId, job._id, 'translate')
  const { data: params } = JobParams.safeParse(job.params)
  const source = params?.kind === 'translate' ? params.transcriptionId : null
  if (!translation || source === null) return translation
  return correctTranslation(translation, await readCorrections(Types.ObjectId.createFromHexString(source)))
}

/** A dialogue has the speakers of its transcription; without one, they are named as the latest transcription names them. */
async function readDialogue(
  diarization: DiarizationResult,
  { readCorrections, corrections }: { readCorrections: CorrectionsReader; corrections: SpeakerCorrections },
): Promise<DiarizationResult> {
  const { transcription_id: id } = diarization
  return correctDialogue(diarization, id ? await readCorrections(Types.ObjectId.createFromHexString(id)) : corrections)
}

/** The latest finished translation to each language. */
export function latestTranslations(jobs: JobRecord[]): JobRecord[] {
  const done = jobs.filter((job) => job.kind === 'translate' && job.state === 'done')
  return [...Map.groupBy(done, (job) => job.targetLanguage).values()].flatMap((group) => group.slice(0, 1))
}

/** Of running work, a list says how far it is and leaves its text out. */
async function presentOne(
  queue: Queue,
  recording: RecordingDocument,
  jobs: JobRecord[],
  { hasText }: { hasText: boolean },
) {
  const transcription = latestDone(jobs, 'transcribe')
  const open = jobs.find((job) => !hasEnded(job))
  return {
    id: recording._id.toHexString(),
    name: recording.name,
    size: recording.sizeBytes,
    duration: recording.durationMs / 1000,
    channels: recording.channels,
    is_stereo: recording.isStereo,
    peaks: recording.peaks,
    language: transcription?.languages[0] ?? null,
    transcription_id: transcription?._id.toHexString() ?? null,
    target_languages: latestTranslations(jobs).flatMap((job) => job.targetLanguage ?? []),
    job: open ? await presentJob(queue, open, { hasText }) : null,
    created_at: recording.createdAt.toISOString(),
  }
}
