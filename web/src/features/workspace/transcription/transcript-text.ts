import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import { formatTurns, hasSpeakerNames } from '../speakers/speaker-turns.ts'

/**
 * Returns a transcript as a text to copy or keep: as it is (audio-workflow specification, section 2), or turn by turn where a speaker was
 * named or voices were separated.
 */
export function transcriptText(transcription: TranscriptionResult, describe: DescribeSpeaker): string {
  if (!hasSpeakerNames(transcription, describe)) return transcription.transcription
  return formatTurns(
    transcription.segments.map(({ speaker, text }) => ({ speaker, text })),
    describe,
  )
}
