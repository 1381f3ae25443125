import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { comma } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'

/** Returns the header of a translation: `Pashto → English`, or for a call in two languages `Pashto, English → English`. */
export function languagePair(
  { source_language, target_language }: Pick<TranslationResult, 'source_language' | 'target_language'>,
  transcription: TranscriptionResult | null,
): string {
  const spoken = transcription ? spokenLanguages(transcription) : []
  const sources = spoken.length > 0 ? spoken : [source_language]
  return t('{sources} → {target}', {
    sources: sources.map(languageName).join(comma),
    target: languageName(target_language),
  })
}

/** Lists the languages of a transcription once each, in the order of its speakers. */
function spokenLanguages({
  speaker_transcriptions: speakers,
  segments,
  detected_language,
}: TranscriptionResult): string[] {
  const mains = speakers.filter(({ segment_count }) => segment_count > 0).map((entry) => entry.detected_language)
  const all = [...(mains.length > 0 ? mains : [detected_language]), ...segments.map(({ language }) => language)]
  return [...new Set(all.filter((code) => code !== null && code !== undefined))]
}
