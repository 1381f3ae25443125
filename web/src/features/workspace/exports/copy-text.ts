import { dialogueParagraphs } from '#contract/formats/dialogue.ts'
import { matchTranslations } from '#contract/match-translation.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'

/** Returns a transcript as text to copy or save: a paragraph per turn, with its time and speaker. */
export function transcriptText(transcription: TranscriptionResult, describe: DescribeSpeaker): string {
  const given = transcription.speaker_transcriptions.map(({ speaker }) => describe(speaker))
  const names = given.flatMap(({ label, name, isNameGiven }) => (label && isNameGiven ? [[label, name] as const] : []))
  const corrections = { names: Object.fromEntries(names), merged: {}, moved: [] }
  const paragraphs = dialogueParagraphs({ name: null, transcription, translation: null, corrections })
  return paragraphs.length > 0 ? paragraphs.join('\n\n') : transcription.transcription
}

/** Returns a translation as text to copy or save, like `transcriptText`; without lines, the whole text unchanged. */
export function translationText(
  translation: TranslationResult,
  transcription: TranscriptionResult | null,
  describe: DescribeSpeaker,
): string {
  const hasLines = translation.segments.length + translation.speaker_translations.length > 0
  if (!transcription || !hasLines) return translation.translated_text
  return transcriptText(translatedTranscript(transcription, translation), describe)
}

/** Returns a transcript of the translated lines; untranslated lines are left out, failed ones say why. */
function translatedTranscript(transcription: TranscriptionResult, translation: TranslationResult): TranscriptionResult {
  const matches = matchTranslations(transcription.segments, translation)
  const segments = transcription.segments.flatMap((segment, index) => {
    const translated = matches[index]?.translated
    if (!translated) return []
    const { error, translated_text } = translated
    return error === null
      ? [{ ...segment, text: translated_text, language: translation.target_language }]
      : [{ ...segment, text: t('Error: {error}', { error }), language: currentLanguage() }]
  })
  return { ...transcription, segments, transcription: translation.translated_text }
}
