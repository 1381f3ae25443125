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
export type TranscriptionChoice = LanguageChoice & SeparationChoice & SpeechModelChoice & { names: string[] }

/** The chosen speech model; null for the model configured for each language. */
export interface SpeechModelChoice {
  model: string | null
}

/** Returns the work key of a transcription. Different names or a different model make it different work. */
export function transcriptionKey(recordingId: string, choice: TranscriptionChoice): string {
  const { names, model } = choice
  const key = `transcribe:${recordingId}:${selectedLanguages(choice).join('+')}`
  return `${key}${separationKey(choice)}${names.length > 0 ? `:${hashNames(names)}` : ''}${modelKey(model)}`
}

/** Returns the work key of a translation of a finished transcription or stored lines; `context` is the topic of the talk. */
export function translationKey(sourceId: string, targetLanguage: string, context: string | null): string {
  return `translate:${sourceId}:${targetLanguage}:${context === null ? '' : hashText(context)}`
}

/** Where a diarization's words come from: a finished transcription, or any in these languages made by the model. */
export type DialogueWords = LanguageChoice & SpeechModelChoice & { transcriptionId: string | null }

/** Returns the work key of a diarization; `words` is null for a diarization without words. */
export function diarizationKey(recordingId: string, words: DialogueWords | null, separation: SeparationChoice): string {
  if (!words) return `diarize:${recordingId}:without-text${separationKey(separation)}`
  const key = `diarize:${recordingId}:${selectedLanguages(words).join('+')}${separationKey(separation)}`
  return `${key}${modelKey(words.model)}${words.transcriptionId === null ? '' : `:of=${words.transcriptionId}`}`
}

function modelKey(model: string | null): string {
  return model === null ? '' : `:model=${model}`
}

/** Returns the part of a key that names the choices; empty for the defaults. */
export function separationKey({ speakerCount, splitVoices }: SeparationChoice): string {
  const split = splitVoices.flatMap((isSplit, channel) => (isSplit ? [channel] : []))
  return `${speakerCount === null ? '' : `:speakers=${speakerCount}`}${split.length > 0 ? `:split=${split.join('+')}` : ''}`
}

/** Hashes names in order, which matters: the last words of a prompt influence a model most. */
function hashNames(names: string[]): string {
  return hashText(JSON.stringify(names))
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
