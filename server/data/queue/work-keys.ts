import type { TranscriptionLanguageChoice } from '#contract/languages.ts'

/** The languages a recording is heard in. `channelLanguages`, where there are some, win over `language`. */
export interface HeardLanguages {
  language: TranscriptionLanguageChoice
  channelLanguages: TranscriptionLanguageChoice[] | null
}

/** As the engine takes them: one for all channels, or one for each, left first. */
export function spokenLanguages({ language, channelLanguages }: HeardLanguages): TranscriptionLanguageChoice[] {
  return channelLanguages ?? [language]
}

/** The work key of a transcription: who asks for the same again, or for its dialogue, is answered with what is there. */
export function transcriptionKey(recordingId: string, languages: HeardLanguages): string {
  return `transcribe:${recordingId}:${spokenLanguages(languages).join('+')}`
}

/** The work key of a diarization; `null` languages: without the words. */
export function diarizationKey(recordingId: string, languages: HeardLanguages | null): string {
  return `diarize:${recordingId}:${languages ? spokenLanguages(languages).join('+') : 'without-text'}`
}
