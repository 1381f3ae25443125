import type { Segment, TranscriptionResult } from './transcription.ts'

/** Returns the languages of a transcription: the main language first, then those of the other speakers and of individual segments. */
export function spokenLanguages({
  detected_language: main,
  speaker_transcriptions: speakers,
  segments,
}: Pick<TranscriptionResult, 'detected_language' | 'speaker_transcriptions' | 'segments'>): string[] {
  if (segments.length === 0) return []
  const others = speakers.filter(({ segment_count }) => segment_count > 0).map((speaker) => speaker.detected_language)
  const all = [main, ...others, ...segments.map(({ language = null }) => language)]
  return [...new Set(all.filter((language) => language !== null))]
}

/** Returns the language of a segment: its own, otherwise its channel's, otherwise the recording's; null when unknown. */
export function spokenLanguage(
  transcription: Pick<TranscriptionResult, 'detected_language' | 'speaker_transcriptions'>,
  segment: Pick<Segment, 'language' | 'speaker'>,
): string | null {
  const speaker = transcription.speaker_transcriptions.find((entry) => entry.speaker === segment.speaker)
  return segment.language ?? speaker?.detected_language ?? transcription.detected_language
}
