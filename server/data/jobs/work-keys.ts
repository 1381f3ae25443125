import { createHash } from 'node:crypto'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'

/** The languages a recording is transcribed in. `channelLanguages`, where present, take precedence over `language`. */
export interface LanguageChoice {
  language: TranscriptionLanguageChoice
  channelLanguages: TranscriptionLanguageChoice[] | null
}

/** Returns one language for all channels, or one for each, left first. */
export function selectedLanguages({ language, channelLanguages }: LanguageChoice): TranscriptionLanguageChoice[] {
  return channelLanguages ?? [language]
}

/** How the speakers of a recording are separated: see JobParams. */
export interface SeparationChoice {
  speakerCount: number | null
  splitVoices: boolean[]
}

/** What determines a transcription besides the recording. */
export type TranscriptionChoice = LanguageChoice & SeparationChoice & { names: string[] }

/** Returns the work key of a transcription. Other names make it other work. */
export function transcriptionKey(recordingId: string, choice: TranscriptionChoice): string {
  const { names } = choice
  const key = `transcribe:${recordingId}:${selectedLanguages(choice).join('+')}`
  return `${key}${separationKey(choice)}${names.length > 0 ? `:${hashNames(names)}` : ''}`
}

/** Returns the work key of a diarization; `languages` is null for one without the words. */
export function diarizationKey(
  recordingId: string,
  languages: LanguageChoice | null,
  separation: SeparationChoice,
): string {
  const words = languages ? selectedLanguages(languages).join('+') : 'without-text'
  return `diarize:${recordingId}:${words}${separationKey(separation)}`
}

/** Returns the part of a key that names the choices; empty for the defaults. */
export function separationKey({ speakerCount, splitVoices }: SeparationChoice): string {
  const split = splitVoices.flatMap((isSplit, channel) => (isSplit ? [channel] : []))
  return `${speakerCount === null ? '' : `:speakers=${speakerCount}`}${split.length > 0 ? `:split=${split.join('+')}` : ''}`
}

/** The order matters: the last words of a prompt influence a model most. */
function hashNames(names: string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}
