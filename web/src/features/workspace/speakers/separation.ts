import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'

const bands = { telephone: t('telephone band'), wide: t('wide band') }

/** Describes how the speakers were separated. */
export function describeSeparation(
  transcription: Pick<TranscriptionResult, 'speaker_separation' | 'speaker_transcriptions'>,
): string {
  const { speaker_separation: separation, speaker_transcriptions: speakers } = transcription
  if (speakers.length === 0) return t('One voice')
  if (separation?.by !== 'voices') return t('Speakers separated by channel')
  return `Speakers separated by voice${separation.band ? `, ${bands[separation.band]}` : ''}`
}
