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

/** How the speakers of a recording are told apart: see JobParams. */
export interface SeparationChoice {
  speakerCount: number | null
  splitVoices: boolean[]
}

/** What decides a transcription beside the recording. */
export type TranscriptionChoice = HeardLanguages & SeparationChoice & { names: string[] }

/** The work key of a transcription: who asks for the same again is answered with what is there. With other names it is other work. */
export function transcriptionKey(recordingId: string, choice: TranscriptionChoice): string {
  const { names } = choice
  const key = `transcribe:${recordingId}:${spokenLanguages(choice).join('+')}`
  return `${key}${separationKey(choice)}${names.length > 0 ? `:${hashNames(names)}` : ''}`
}

/** The work key of a diarization; `null` languages: without the words. */
export function diarizationKey(
  recordingId: string,
  languages: HeardLanguages | null,
  separation: SeparationChoice,
): string {
  const words = languages ? spokenLanguages(languages).join('+') : 'without-text'
  return `diarize:${recordingId}:${words}${separationKey(separation)}`
}

/** The part of a key that names the choices; empty for those of the defaults, whose keys are as they were before there was a choice. */
export function separationKey({ speakerCount, splitVoices }: SeparationChoice): string {
  const split = splitVoices.flatMap((isSplit, channel) => (isSplit ? [channel] : []))
  return `${speakerCount === null ? '' : `:speakers=${speakerCount}`}${split.length > 0 ? `:split=${split.join('+')}` : ''}`
}

/** The order counts: a model hears the last words of a prompt best. */
function hashNames(names: string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}
