import type { TranscriptOrigin } from '#contract/formats/transcript-document.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findLineMarks } from '#data/line-marks/line-marks.ts'
import { toLineMark } from '#data/line-marks/stored-mark.ts'
import { listNotes } from '#data/notes/notes.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { chooseTranslations } from '#data/recordings/stored-translations.ts'
import type { PackedTranscripts } from '#data/recordings/transcript-source.ts'
import { currentTranscription, listTranscriptions } from '#data/recordings/versions.ts'
import { fetchResults } from './fetch-results.ts'
import { notTranscribedError, type ExportedTranscript } from './format-transcript.ts'
import { pickCorrections } from './present-results.ts'

interface ExportChoice {
  /** All jobs of the recording, sorted as by listJobsOfRecordings. */
  jobs: JobRecord[]
  /** Languages of the translations to fetch, as far as they exist. */
  targetLanguages: string[]
  hasNotes: boolean
}

/**
 * Fetches the current transcription of a recording, with people's changes and with translations, as stored. Throws `conflict` if there is
 * no transcription.
 */
export async function readForExport(
  queue: Queue,
  recording: RecordingRecord,
  { jobs, targetLanguages, hasNotes }: ExportChoice,
): Promise<{ transcript: ExportedTranscript; packed: PackedTranscripts }> {
  const { ownerId, id: recordingId, name } = recording
  const current = currentTranscription(recording, jobs)
  if (!current) throw notTranscribedError()
  const results = {
    recording: pickCorrections(recording),
    transcriptionId: current.id,
    translations: chooseTranslations(jobs, current.id).flatMap(({ id, params, targetLanguage }) =>
      targetLanguage && targetLanguages.includes(targetLanguage) ? [{ id, params, targetLanguage }] : [],
    ),
  }
  const origin = {
    ...describeAudio(recording),
    version: describeVersion(current, jobs),
    ...(hasNotes && { notes: await readNotes(queue, { ownerId, recordingId }) }),
  }
  const [packed, { marks }] = await Promise.all([
    fetchResults(queue, ownerId, { ...results, diarization: undefined }),
    findLineMarks(queue.connection, { ownerId, recordingId }),
  ])
  return { transcript: { ...results, name, origin, marks: marks.map(toLineMark) }, packed }
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

async function readNotes(queue: Queue, owner: { ownerId: string; recordingId: string }) {
  const notes = await listNotes(queue.connection, owner)
  return notes.map(({ id, timeMs, text, line, createdAt, updatedAt }) => ({
    id,
    time: timeMs / 1000,
    text,
    ...(line && { line }),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }))
}
