import { applySpeakerCorrections, speakerName, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { StoredTranslation } from '#contract/entities/recording.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listNotes } from '#data/notes/notes.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { openTranscripts } from '#data/recordings/stored-transcripts.ts'
import { chooseTranslations, readTranslation } from '#data/recordings/stored-translations.ts'
import { readEdited } from '#data/recordings/transcript-source.ts'
import { createChangesReader } from '#data/recordings/transcription-changes.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { RecordingText, TextLine } from './recording-text.ts'

/**
 * Reads what people see of a recording: the current transcription with edited lines and corrected speakers, its translations and notes.
 *
 * @param jobs all jobs of the recording, sorted as by listJobsOfRecordings
 */
export async function readRecordingText(
  queue: Queue,
  recording: RecordingRecord,
  jobs: JobRecord[],
  transcripts = openTranscripts(queue, recording.ownerId),
): Promise<RecordingText> {
  const { id: recordingId, ownerId } = recording
  const transcriptionId = currentTranscription(recording, jobs)?.id
  const readChanges = createChangesReader(transcripts, recording)
  const { corrections } = await readChanges(transcriptionId)
  const [spoken, translations, notes] = await Promise.all([
    readSpokenLines(),
    Promise.all(chooseTranslations(jobs, transcriptionId).map((job) => readTranslation(transcripts, job, readChanges))),
    listNotes(queue.connection, { ownerId, recordingId }),
  ])
  const translated = translations.flatMap((translation) =>
    translation ? toTranslatedLines(translation, corrections) : [],
  )
  return {
    transcriptionId: transcriptionId ?? null,
    lines: [...spoken, ...translated],
    speakers: listNamed(spoken, new Set(Object.values(corrections.names))),
    notes: notes.map(({ id, timeMs, text }) => ({ id, timeMs, text })),
  }

  async function readSpokenLines(): Promise<TextLine[]> {
    if (!transcriptionId) return []
    const edited = await readEdited(transcripts, transcriptionId)
    if (!edited) return []
    const shown = applySpeakerCorrections(edited, corrections)
    return shown.segments.map((segment) => ({
      start: segment.start,
      end: segment.end,
      speaker: segment.speaker === undefined ? null : speakerName(segment.speaker, corrections),
      language: spokenLanguage(shown, segment),
      text: segment.text,
      isTranslation: false,
      ...(segment.channel !== undefined && { channel: segment.channel }),
      ...(segment.words && { words: segment.words }),
    }))
  }
}

function listNamed(lines: TextLine[], given: ReadonlySet<string>): RecordingText['speakers'] {
  const first = new Map<string, RecordingText['speakers'][number]>()
  for (const { speaker, start, end } of lines) {
    if (speaker !== null && given.has(speaker) && !first.has(speaker)) first.set(speaker, { name: speaker, start, end })
  }
  return [...first.values()]
}

function toTranslatedLines(translation: StoredTranslation, corrections: SpeakerCorrections): TextLine[] {
  const { speaker_translations: speakers, target_language: language } = translation
  const bySpeaker =
    speakers.length > 0
      ? speakers.flatMap(({ speaker, segments }) =>
          segments.map((segment) => ({ speaker: speakerName(speaker, corrections), segment })),
        )
      : translation.segments.map((segment) => ({ speaker: null, segment }))
  return bySpeaker
    .filter(({ segment }) => segment.translated_text !== '')
    .toSorted((a, b) => a.segment.start - b.segment.start)
    .map(({ speaker, segment: { start, end, translated_text: text } }) => {
      return { start, end, speaker, language, text, isTranslation: true }
    })
}
