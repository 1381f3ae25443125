import type { Segment, TranscriptionResult } from './transcription.ts'

/** Returns the language of a segment: its own, else its channel's, else the recording's; null when unknown. */
export function spokenLanguage(
  transcription: Pick<TranscriptionResult, 'detected_language' | 'speaker_transcriptions'>,
  segment: Pick<Segment, 'language' | 'speaker'>,
): string | null {
  const speaker = transcription.speaker_transcriptions.find((entry) => entry.speaker === segment.speaker)
  return segment.language ?? speaker?.detected_language ?? transcription.detected_language
}
