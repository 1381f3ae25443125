import { t } from '#contract/texts/t.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'

/** Warnings that the reader sees as one remark. */
export interface WarningGroup {
  /** The code if one text covers all its passages, otherwise the message. */
  key: string
  text: string
  warnings: TranscriptionWarning[]
  /** The first warning of a channel whose language changes. */
  changing: TranscriptionWarning | undefined
}

/** Texts shown once for all passages of a kind, instead of the messages of their warnings. */
const passageTexts: Record<string, string> = {
  repetition: t('Not understood: the model only repeated itself.'),
  not_understood: t('A voice was found, but no words were understood.'),
  window_failed: t('Could not be transcribed.'),
  bleed: t('Left out: only the voice of the other channel is heard there (bleed).'),
}

/** Returns the remarks on a transcript, each with the warnings that it stands for. */
export function groupWarnings(warnings: TranscriptionWarning[]): WarningGroup[] {
  const groups = new Map<string, WarningGroup>()
  const changingChannels = new Set<number | undefined>()
  for (const warning of warnings) {
    const passageText = warning.start === undefined ? undefined : passageTexts[warning.code]
    const [key, text] = passageText
      ? [warning.code, passageText]
      : [warning.message, translateSentence(warning.message)]
    const isChange = warning.code === 'language_changes' && !changingChannels.has(warning.channel)
    if (isChange) changingChannels.add(warning.channel)
    const group = groups.get(key) ?? { key, text, warnings: [], changing: isChange ? warning : undefined }
    group.warnings.push(warning)
    groups.set(key, group)
  }
  return [...groups.values()]
}
