import type { Keywords } from '#contract/keywords/keywords.ts'
import type { Voice } from '../speakers/voices.ts'
import { countWithTotal, hitsIn, type TextChoice } from './filter-hits.ts'
import type { LineHit } from '../state/line-hits.ts'

interface AnalysisExportOptions {
  keywords: Keywords
  hits: LineHit[]
  texts: TextChoice
  voices: Pick<Voice, 'label' | 'name' | 'talkingSeconds'>[]
  now: Date
}

/**
 * Returns the content of the export file: time, keywords, and counts per text and in total (audio-workflow specification, section 3) and,
 * beyond the specification, each speaker's name, talking time and keywords. Except per text, a word and its translation count once.
 */
export function analysisExport({ keywords, hits, texts, voices, now }: AnalysisExportOptions) {
  const chosen = hitsIn(hits, texts)
  const originals = chosen.filter(({ isIn }) => isIn !== 'translation')
  const translations = chosen.filter(({ isIn }) => isIn !== 'original')
  const speakers = voices.map(({ label, name, talkingSeconds }) => ({
    speaker: label,
    name,
    talking_seconds: Math.round(talkingSeconds * 10) / 10,
    keywords: countWithTotal(chosen.filter(({ speaker }) => speaker === label)),
  }))
  const perText = {
    ...(texts !== 'translation' && { transcription: countWithTotal(originals) }),
    ...(texts !== 'transcription' && { translation: countWithTotal(translations) }),
  }
  return { timestamp: now.toISOString(), keywords, stats: { ...perText, totals: countWithTotal(chosen) }, speakers }
}
