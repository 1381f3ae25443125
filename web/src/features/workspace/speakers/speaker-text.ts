import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { translatedLines } from '../translation/translated-lines.ts'
import type { DescribeSpeaker } from './describe-speaker.ts'

interface SpokenLine {
  speaker: string | undefined
  text: string
}

/**
 * A transcript to copy or keep as a text: as it is (audio-workflow specification, section 2), and turn by turn with who speaks where
 * somebody was named or voices were told apart.
 */
export function transcriptText(transcription: TranscriptionResult, describe: DescribeSpeaker): string {
  if (!isNamed(transcription, describe)) return transcription.transcription
  return turnsText(
    transcription.segments.map(({ speaker, text }) => ({ speaker, text })),
    describe,
  )
}

/** A translation in the same way. */
export function translationText(
  translation: TranslationResult,
  transcription: TranscriptionResult | null,
  describe: DescribeSpeaker,
): string {
  const lines = translatedLines(translation)
  if (!transcription || !isNamed(transcription, describe) || lines.every(({ speaker }) => speaker === null)) {
    return translation.translated_text
  }
  return turnsText(
    lines.map(({ speaker, translated_text: text, error }) => ({
      speaker: speaker ?? undefined,
      text: error === null ? text : `Error: ${error}`,
    })),
    describe,
  )
}

function isNamed(
  { speaker_separation: separation, speaker_transcriptions: speakers }: TranscriptionResult,
  describe: DescribeSpeaker,
): boolean {
  return separation?.by === 'voices' || speakers.some(({ speaker }) => describe(speaker).isNameGiven)
}

/** The name has a line of its own: it may run the other way than the text. */
function turnsText(lines: SpokenLine[], describe: DescribeSpeaker): string {
  const turns: { label: string | null; name: string; texts: string[] }[] = []
  for (const { speaker, text } of lines) {
    if (!text) continue
    const { label, name } = describe(speaker)
    const last = turns.at(-1)
    if (last?.label === label) last.texts.push(text)
    else turns.push({ label, name, texts: [text] })
  }
  return turns.map(({ name, texts }) => `${name}:\n${texts.join(' ')}`).join('\n\n')
}
