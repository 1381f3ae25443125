import { countHits, createKeywordMatcher, type KeywordHit } from '#contract/keywords/find-keywords.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { Voice } from '../speakers/voices.ts'

export type TextChoice = 'both' | 'transcription' | 'translation'

/** One text with what was found in it. */
export interface AnalysedText {
  name: 'transcription' | 'translation'
  text: string
  language: string | null
  hits: KeywordHit[]
}

type Counts = Record<KeywordCategory, number>

interface Source {
  text: string
  language: string | null
}

/** Scans the chosen texts. */
export function analyse(
  keywords: Keywords,
  sources: { transcription: Source; translation: Source | null },
  choice: TextChoice,
): AnalysedText[] {
  const find = createKeywordMatcher(keywords)
  const texts: AnalysedText[] = []
  if (choice !== 'translation') texts.push({ name: 'transcription', ...sources.transcription, hits: [] })
  if (choice !== 'transcription' && sources.translation) {
    texts.push({ name: 'translation', ...sources.translation, hits: [] })
  }
  return texts.map((entry) => ({ ...entry, hits: find(entry.text) }))
}

/** Counts the hits of all texts together, by category. */
export function totalCounts(texts: AnalysedText[]): Counts {
  return countHits(texts.flatMap(({ hits }) => hits))
}

interface AnalysisExportOptions {
  keywords: Keywords
  texts: AnalysedText[]
  voices: Pick<Voice, 'label' | 'name' | 'talkingSeconds'>[]
  transcription: Pick<TranscriptionResult, 'speaker_transcriptions'> | null
  now: Date
}

/**
 * Returns the content of the export file: time, keywords, and counts per text and in total (audio-workflow specification, section 3); and,
 * beyond the specification, each speaker's name, talking time and keywords.
 */
export function analysisExport({ keywords, texts, voices, transcription, now }: AnalysisExportOptions) {
  const perText = Object.fromEntries(texts.map(({ name, hits }) => [name, withTotal(countHits(hits))]))
  const find = createKeywordMatcher(keywords)
  const speakers = voices.map(({ label, name, talkingSeconds }) => {
    const spoken = transcription?.speaker_transcriptions.find(({ speaker }) => speaker === label)?.transcription ?? ''
    const seconds = Math.round(talkingSeconds * 10) / 10
    return { speaker: label, name, talking_seconds: seconds, keywords: withTotal(countHits(find(spoken))) }
  })
  const totals = withTotal(totalCounts(texts))
  return { timestamp: now.toISOString(), keywords, stats: { ...perText, totals }, speakers }
}

function withTotal(counts: Counts) {
  return { ...counts, total: keywordCategories.reduce((sum, category) => sum + counts[category], 0) }
}
