import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { pairHits } from '#contract/keywords/pair-hits.ts'
import type { KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { keywordCategories } from '#contract/keywords/keywords.ts'
import type { HitCounts } from '#contract/library.ts'
import { matchTranslations } from '#contract/match-translation.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { noHits } from '#data/library/entries.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { chooseTranslations, readTranslation } from '#data/recordings/stored-translations.ts'
import { readEdited, type TranscriptSource } from '#data/recordings/transcript-source.ts'
import { createChangesReader } from '#data/recordings/transcription-changes.ts'
import { currentTranscription } from '#data/recordings/versions.ts'

/** A recording with all of its jobs, the last finished first. */
interface RecordingWithJobs {
  recording: RecordingRecord
  jobs: JobRecord[]
}

/**
 * Returns an identifier of the text in which hits are counted: it changes with every edit, version and translation. Empty for no text.
 *
 * @param readRevision reads the revision of people's edits to a transcription
 */
export async function identifyText(
  { recording, jobs }: RecordingWithJobs,
  readRevision: (transcriptionId: string) => Promise<number>,
): Promise<string> {
  const transcription = currentTranscription(recording, jobs)
  if (!transcription) return ''
  const revision = await readRevision(transcription.id)
  const translations = chooseTranslations(jobs, transcription.id).map(({ id }) => id)
  return [transcription.id, revision, recording.speakerCorrectionsVersion ?? 0, ...translations].join(' ')
}

/**
 * Counts the keywords in the current transcription and its translations, including people's edits. A word and its translations count as
 * one hit: see pairHits.
 */
export async function countHits(
  { recording, jobs, transcripts }: RecordingWithJobs & { transcripts: TranscriptSource },
  find: KeywordMatcher,
): Promise<HitCounts> {
  const transcriptionId = currentTranscription(recording, jobs)?.id
  const edited = transcriptionId ? await readEdited(transcripts, transcriptionId) : null
  if (!edited) return noHits
  const readChanges = createChangesReader(transcripts, recording)
  const shown = applySpeakerCorrections(edited, (await readChanges(transcriptionId)).corrections)
  const { segments } = shown
  const translations = await Promise.all(
    chooseTranslations(jobs, transcriptionId).map((job) => readTranslation(transcripts, job, readChanges)),
  )
  const matched = translations.map((translation) => ({
    language: translation?.target_language ?? null,
    lines: matchTranslations(segments, translation),
  }))
  const counts = { ...noHits }
  for (const [index, segment] of segments.entries()) {
    const translated = matched.map(({ language, lines }) => {
      return { text: lines[index]?.translated.translated_text ?? '', language }
    })
    const original = { text: segment.text, language: spokenLanguage(shown, segment) }
    addCounts(counts, countLine(original, translated, find))
  }
  return counts
}

interface TextInLanguage {
  text: string
  /** Null when unknown. */
  language: string | null
}

/** Counts the hits of a line: for each category, as many as in the text that has the most. */
function countLine(spoken: TextInLanguage, translations: TextInLanguage[], find: KeywordMatcher): HitCounts {
  const original = find(spoken.text, spoken.language)
  const counts = { ...noHits }
  for (const { text, language } of translations.length > 0 ? translations : [{ text: '', language: null }]) {
    const pairs = pairHits({ original, translation: text === '' ? [] : find(text, language) })
    const own = { ...noHits }
    for (const pair of pairs) {
      const category = (pair.original ?? pair.translation)?.category
      if (category) own[category] += 1
    }
    for (const category of keywordCategories) counts[category] = Math.max(counts[category], own[category])
  }
  return counts
}

function addCounts(sum: HitCounts, counts: HitCounts): void {
  for (const category of keywordCategories) sum[category] += counts[category]
}
