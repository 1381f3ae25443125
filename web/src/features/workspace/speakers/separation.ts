import type { TranscriptionResult } from '#contract/transcription.ts'

const bands = { telephone: 'telephone band', wide: 'wide band' }

/** Describes how the speakers were separated. */
export function describeSeparation(
  transcription: Pick<TranscriptionResult, 'speaker_separation' | 'speaker_transcriptions'>,
): string {
  const { speaker_separation: separation, speaker_transcriptions: speakers } = transcription
  if (speakers.length === 0) return 'One voice'
  if (separation?.by !== 'voices') return 'Speakers separated by channel'
  return `Speakers separated by voice${separation.band ? `, ${bands[separation.band]}` : ''}`
}
