import { AppError } from '#contract/app-error.ts'
import { hasMergeCycle, noSpeakerCorrections, SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { saveSpeakerCorrections } from '#data/recordings/speaker-corrections.ts'
import { currentTranscription, currentVersionNumber } from '#data/recordings/versions.ts'
import { invalidInput } from '#server/http/parse.ts'
import { carryCorrections } from './carry-corrections.ts'

/** Returns the corrections as they apply to a transcription of the recording; none for no transcription. */
export type CorrectionsReader = (transcriptionId: string | undefined) => Promise<SpeakerCorrections>

/**
 * Returns a reader of a recording's corrections. They stay stored as they were made; for any other transcription of the recording they are
 * carried over when they are read, so that a transcription that ends while nobody watches loses none.
 */
export function createCorrectionsReader(queue: Queue, recording: RecordingRecord): CorrectionsReader {
  const { speakerCorrections: stored, ownerId } = recording
  const { data: corrections } = SpeakerCorrections.safeParse(stored?.corrections)
  const carried = new Map<string, Promise<SpeakerCorrections>>()

  async function carryTo(id: string, made: string): Promise<SpeakerCorrections> {
    if (!corrections) return noSpeakerCorrections
    const [before, after] = await Promise.all([made, id].map((each) => readResult(queue, ownerId, each, 'transcribe')))
    return before && after ? carryCorrections(corrections, before, after) : noSpeakerCorrections
  }

  return async (id) => {
    if (!id || !stored || !corrections) return noSpeakerCorrections
    if (stored.transcriptionId === id) return corrections
    const carrying = carried.get(id) ?? carryTo(id, stored.transcriptionId)
    carried.set(id, carrying)
    return carrying
  }
}

/** Returns the corrections of an owner's recording as they fit a transcription; none where the recording was deleted. */
export async function findCorrections(
  queue: Queue,
  { ownerId, recordingId }: { ownerId: string; recordingId: string | null },
  transcriptionId: string,
): Promise<SpeakerCorrections> {
  const recording = recordingId && (await findRecording(queue.connection, ownerId, recordingId))
  if (!recording) return noSpeakerCorrections
  return createCorrectionsReader(queue, recording)(transcriptionId)
}

/**
 * Returns a number that changes with every correction and whenever another transcription becomes current: a correction of an outdated state
 * is refused.
 *
 * @param jobs all of the recording
 */
export function correctionsVersion(recording: RecordingRecord, jobs: JobRecord[]): number {
  return (recording.speakerCorrectionsVersion ?? 0) + currentVersionNumber(recording, jobs)
}

/**
 * Replaces the corrections of a recording's current transcription. Throws `conflict` where nothing is transcribed, or what was
 * `seen` is outdated; `invalid_input` where they do not fit the transcription.
 */
export async function correctSpeakers(
  queue: Queue,
  recording: RecordingRecord,
  { corrections, seen }: { corrections: SpeakerCorrections; seen: number },
): Promise<RecordingRecord> {
  const { ownerId, id } = recording
  const jobs = await listJobsOfRecordings(queue, ownerId, [id])
  const current = currentTranscription(recording, jobs)
  const transcription = current && (await readResult(queue, ownerId, current.id, 'transcribe'))
  if (!transcription)
    throw new AppError('conflict', 'This recording is not transcribed yet', { help: 'Please transcribe audio first' })
  if (seen !== correctionsVersion(recording, jobs)) throw changedMeanwhile()
  assertFits(corrections, transcription)
  const written = {
    transcriptionId: current.id,
    corrections,
    seenVersion: recording.speakerCorrectionsVersion ?? 0,
  }
  const saved = await saveSpeakerCorrections(queue.connection, { ownerId, id }, written)
  if (!saved) throw changedMeanwhile()
  return saved
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'The speakers of this recording were changed in the meantime', {
    help: 'Load the recording again to see the change, then repeat yours.',
  })
}

function assertFits(corrections: SpeakerCorrections, transcription: TranscriptionResult): void {
  const { names, merged, moved } = corrections
  const labels = new Set(transcription.speaker_transcriptions.map(({ speaker }) => speaker))
  const used = [...Object.keys(names), ...Object.entries(merged).flat(), ...moved.map(({ speaker }) => speaker)]
  const unknown = used.find((label) => !labels.has(label))
  if (unknown !== undefined) throw invalidInput([`This transcript has no speaker "${unknown}"`])
  const circular = Object.keys(merged).find((label) => hasMergeCycle(label, corrections))
  if (circular !== undefined) throw invalidInput([`${circular} cannot be merged in a circle`])
  const lines = new Set(transcription.segments.map(({ start, end }) => `${start}-${end}`))
  const missing = moved.find(({ start, end }) => !lines.has(`${start}-${end}`))
  if (missing) throw invalidInput([`This transcript has no line from ${missing.start} to ${missing.end} seconds`])
}
