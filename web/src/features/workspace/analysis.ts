import { countHits, createKeywordMatcher, type KeywordHit } from '#contract/keywords/find-keywords.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import { defaultKeywords } from '#contract/keywords/defaults.ts'

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

/** The reader's lists, or the built-in ones where all four are empty (audio-workflow specification, section 9). */
export function keywordsInUse(own: Keywords): Keywords {
  return keywordCategories.some((category) => own[category].length > 0) ? own : defaultKeywords
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

/** Hits of all texts together, by category. */
export function totalCounts(texts: AnalysedText[]): Counts {
  return countHits(texts.flatMap(({ hits }) => hits))
}

/** What the export file holds: time, keywords, and counts per text and in total (audio-workflow specification, section 3). */
export function analysisExport(keywords: Keywords, texts: AnalysedText[], now: Date) {
  const perText = Object.fromEntries(texts.map(({ name, hits }) => [name, withTotal(countHits(hits))]))
  return { timestamp: now.toISOString(), keywords, stats: { ...perText, totals: withTotal(totalCounts(texts)) } }
}

function withTotal(counts: Counts) {
  return { ...counts, total: keywordCategories.reduce((sum, category) => sum + counts[category], 0) }
}
