import type { z } from 'zod'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { noLineEdits } from '#contract/line-edits.ts'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { correctDialogue } from '#data/recordings/correct-results.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { readTranslation } from '#data/recordings/stored-translations.ts'
import type { TranscriptSource } from '#data/recordings/transcript-source.ts'
import { createChangesReader, type TranscriptionChangesReader } from '#data/recordings/transcription-changes.ts'

type ShownJob = Pick<JobRecord, 'id' | 'params'>

/** What people corrected about the speakers of a recording. */
export type CorrectedSpeakers = Pick<RecordingRecord, 'speakerCorrections' | 'otherSpeakerCorrections'>

/** Picks only the corrections, to be sent to a thread. */
export function pickCorrections({
  speakerCorrections = null,
  otherSpeakerCorrections = [],
}: CorrectedSpeakers): CorrectedSpeakers {
  return { speakerCorrections, otherSpeakerCorrections }
}

/** Which results of a recording are shown, and how people corrected its speakers. */
export interface ResultSelection {
  recording: CorrectedSpeakers
  transcriptionId: string | undefined
  translations: ShownJob[]
  diarization: ShownJob | undefined
}

type Details = z.input<typeof RecordingDetails>

/** The long parts of a recording's details, and what follows from them. */
export type PresentedResults = Pick<
  Details,
  'transcription' | 'line_edits' | 'translations' | 'diarization' | 'speaker_corrections'
>

/** Presents the results; speaker corrections are applied to everything except the transcription itself. */
export async function presentResults(
  transcripts: TranscriptSource,
  { recording, transcriptionId, translations, diarization: dialogue }: ResultSelection,
): Promise<PresentedResults> {
  const readChanges = createChangesReader(transcripts, recording)
  const [transcription, edits, diarization, translated, { corrections }] = await Promise.all([
    transcriptionId === undefined ? null : transcripts.readResult(transcriptionId, 'transcribe'),
    transcriptionId === undefined ? noLineEdits : transcripts.readLineEdits(transcriptionId),
    dialogue ? transcripts.readResult(dialogue.id, 'diarize') : null,
    Promise.all(translations.map((job) => readTranslation(transcripts, job, readChanges))),
    readChanges(transcriptionId),
  ])
  return {
    transcription,
    line_edits: edits,
    translations: translated.filter((translation) => translation !== null),
    diarization: diarization && (await readDialogue(diarization, { readChanges, corrections })),
    speaker_corrections: corrections,
  }
}

/**
 * Applies to a dialogue what people changed in its own transcription; to one without words, the corrections of the current transcription.
 */
async function readDialogue(
  diarization: DiarizationResult,
  { readChanges, corrections }: { readChanges: TranscriptionChangesReader; corrections: SpeakerCorrections },
): Promise<DiarizationResult> {
  const { transcription_id: id } = diarization
  return correctDialogue(diarization, id ? await readChanges(id) : { corrections, edited: null })
}
