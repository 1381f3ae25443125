import type { TranscriptionLanguageChoice } from '#contract/languages.ts'

/** The languages a recording is heard in: one for all channels, or one for each, left first. */
export interface HeardLanguages {
  language: TranscriptionLanguageChoice
  channelLanguages: TranscriptionLanguageChoice[] | null
}

/** The work key of a transcription: who asks for the same again, or for its dialogue, is answered with what is there. */
export function transcriptionKey(recordingId: string, { language, channelLanguages }: HeardLanguages): string {
  return `transcribe:${recordingId}:${(channelLanguages ?? [language]).join('+')}`
}

/** The work key of a diarization; `null` languages: without the words. */
export function diarizationKey(recordingId: string, languages: HeardLanguages | null): string {
  if (!languages) return `diarize:${recordingId}:without-text`
  return `diarize:${recordingId}:${(languages.channelLanguages ?? [languages.language]).join('+')}`
}
