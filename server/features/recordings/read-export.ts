import { AppError } from '#contract/app-error.ts'
import type { EditedText, TranscriptDocument, TranscriptOrigin } from '#contract/formats/transcript-document.ts'
import { editableSegments } from '#contract/line-edits.ts'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'
import { listNotes } from '#data/notes/notes.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription, listTranscriptions } from '#data/recordings/versions.ts'
import { chooseTranslations, readTranslation } from '#data/recordings/stored-translations.ts'
import { createChangesReader } from '#data/recordings/transcription-changes.ts'

interface ExportChoice {
  targetLanguage: string | undefined
  hasNotes: boolean
}

/**
 * Returns the current transcription of a recording as people edited it, with a translation where a language is named. Throws `conflict`
 * where there is no transcription, or no translation to that language.
 */
export async function readForExport(
  queue: Queue,
  recording: RecordingRecord,
  { targetLanguage, hasNotes }: ExportChoice,
): Promise<TranscriptDocument> {
  const { ownerId, id: recordingId, name } = recording
  const jobs = await listJobsOfRecordings(queue, ownerId, [recordingId])
  const current = currentTranscription(recording, jobs)
  const written = current && (await readResult(queue, ownerId, current.id, 'transcribe'))
  if (!written) throw notTranscribedError()
  const readChanges = createChangesReader(queue, recording)
  const { corrections, edited } = await readChanges(current.id)
  const wanted = chooseTranslations(jobs, current.id).find((job) => job.targetLanguage === targetLanguage)
  const translation = targetLanguage && wanted ? await readTranslation(queue, wanted, readChanges) : null
  if (targetLanguage && !translation) throw notTranslatedError()
  return {
    name,
    ...describeAudio(recording),
    version: describeVersion(current, jobs),
    edited_lines: await listEditedLines(queue, current, written),
    ...(hasNotes && { notes: await readNotes(queue, { ownerId, recordingId }) }),
    transcription: applySpeakerCorrections(edited ?? written, corrections),
    corrections,
    translation,
  }
}

function describeAudio(recording: RecordingRecord): TranscriptOrigin {
  const { sha256, sizeBytes: size, durationMs, createdAt } = recording
  return {
    exported_at: new Date().toISOString(),
    audio: { sha256, size, duration: durationMs / 1000, uploaded_at: createdAt.toISOString() },
  }
}

function describeVersion(current: JobRecord, jobs: JobRecord[]): TranscriptOrigin['version'] {
  const finished = listTranscriptions(jobs)
  return {
    transcription_id: current.id,
    number: finished.length - finished.findIndex(({ id }) => id === current.id),
    count: finished.length,
    finished_at: current.finishedAt?.toISOString() ?? null,
  }
}

async function listEditedLines(queue: Queue, current: JobRecord, written: TranscriptionResult): Promise<EditedText[]> {
  const edits = await findLineEdits(queue.connection, current.ownerId, current.id)
  return editableSegments(written, edits)
    .filter(({ isEdited }) => isEdited)
    .map(({ start, end, text, from }) => {
      return { start, end, text, written_text: from.map((index) => written.segments[index]?.text ?? '').join(' ') }
    })
}

async function readNotes(queue: Queue, owner: { ownerId: string; recordingId: string }) {
  const notes = await listNotes(queue.connection, owner)
  return notes.map(({ id, timeMs, text, createdAt, updatedAt }) => ({
    id,
    time: timeMs / 1000,
    text,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }))
}

function notTranscribedError(): AppError {
  return new AppError('conflict', 'This recording is not transcribed yet', { help: 'Please transcribe audio first' })
}

function notTranslatedError(): AppError {
  return new AppError('conflict', 'This recording is not translated to that language yet')
}
