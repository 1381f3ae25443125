import { createHash } from 'node:crypto'
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

/** The work key of a transcription: who asks for the same again is answered with what is there. With other names it is other work. */
export function transcriptionKey(recordingId: string, languages: HeardLanguages, names: string[] = []): string {
  const key = `transcribe:${recordingId}:${spokenLanguages(languages).join('+')}`
  return names.length > 0 ? `${key}:${hashNames(names)}` : key
}

/** The work key of a diarization; `null` languages: without the words. */
export function diarizationKey(recordingId: string, languages: HeardLanguages | null): string {
  return `diarize:${recordingId}:${languages ? spokenLanguages(languages).join('+') : 'without-text'}`
}

/** The order counts: a model hears the last words of a prompt best. */
function hashNames(names: string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}
