import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'

const byVoice = {
  telephone: t('Speakers separated by voice, telephone band'),
  wide: t('Speakers separated by voice, wide band'),
}

/** Describes how the speakers were separated. */
export function describeSeparation(
  transcription: Pick<TranscriptionResult, 'speaker_separation' | 'speaker_transcriptions'>,
): string {
  const { speaker_separation: separation, speaker_transcriptions: speakers } = transcription
  if (speakers.length === 0) return t('One voice')
  if (separation?.by !== 'voices') return t('Speakers separated by channel')
  return separation.band ? byVoice[separation.band] : t('Speakers separated by voice')
}

/** Whether each channel is a speaker, so that no voices are left to tell apart. */
export function isSeparatedByChannel(
  transcription: Pick<TranscriptionResult, 'speaker_separation' | 'speaker_transcriptions'>,
): boolean {
  return transcription.speaker_transcriptions.length > 0 && transcription.speaker_separation?.by !== 'voices'
}
