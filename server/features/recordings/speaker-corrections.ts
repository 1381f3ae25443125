import { AppError } from '#contract/app-error.ts'
import { applyLineEdits } from '#contract/line-edits.ts'
import { hasMergeCycle, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { replacePart } from '#data/holds/removals.ts'
import { listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { saveSpeakerCorrections } from '#data/recordings/speaker-corrections.ts'
import { currentTranscription, currentVersionNumber } from '#data/recordings/versions.ts'
import { invalidInput } from '#server/http/parse.ts'

/**
 * Returns a number that changes with every correction and whenever another transcription becomes current, so that a correction of an
 * outdated state is refused.
 *
 * @param jobs all of the recording
 */
export function correctionsVersion(recording: RecordingRecord, jobs: JobRecord[]): number {
  return (recording.speakerCorrectionsVersion ?? 0) + currentVersionNumber(recording, jobs)
}

/**
 * Replaces the corrections of a recording's current transcription. Throws `conflict` if nothing is transcribed or what was `seen` is
 * outdated, `invalid_input` if the corrections do not fit the transcription.
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
  const edits = await findLineEdits(queue.connection, ownerId, current.id)
  assertFits(corrections, transcription, applyLineEdits(transcription, edits))
  const save = () => saveSpeakerCorrections(queue.connection, recording, { transcriptionId: current.id, corrections })
  const { speakerCorrections: last, otherSpeakerCorrections: others } = recording
  const before = { last, others }
  const saved = await (last
    ? replacePart(queue.connection, { ownerId, recordingId: id }, { kind: 'speakers', state: before, replace: save })
    : save())
  if (!saved) throw changedMeanwhile()
  return saved
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'The speakers of this recording were changed in the meantime', {
    help: 'Load the recording again to see the change, then repeat yours.',
  })
}

/** Lines may be those of the edited transcript, or those the engine wrote, to which edited lines can return. */
function assertFits(
  corrections: SpeakerCorrections,
  transcription: TranscriptionResult,
  edited: TranscriptionResult,
): void {
  const { names, merged, moved } = corrections
  const labels = new Set(transcription.speaker_transcriptions.map(({ speaker }) => speaker))
  const used = [...Object.keys(names), ...Object.entries(merged).flat(), ...moved.map(({ speaker }) => speaker)]
  const unknown = used.find((label) => !labels.has(label))
  if (unknown !== undefined) throw invalidInput([`This transcript has no speaker "${unknown}"`])
  const circular = Object.keys(merged).find((label) => hasMergeCycle(label, corrections))
  if (circular !== undefined) throw invalidInput([`${circular} cannot be merged in a circle`])
  const lines = new Set([...transcription.segments, ...edited.segments].map(({ start, end }) => `${start}-${end}`))
  const missing = moved.find(({ start, end }) => !lines.has(`${start}-${end}`))
  if (missing) throw invalidInput([`This transcript has no line from ${missing.start} to ${missing.end} seconds`])
}
