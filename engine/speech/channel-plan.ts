import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { packWindows } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { windowKey } from './window-result.ts'

/** A voice of the recording and where it speaks. */
export interface Channel {
  channel: 0 | 1
  speaker: string
  languageChoice: TranscriptionLanguageChoice
  frames: Float32Array
  spans: SpeechSpan[]
  /** Where the other voice speaks; empty for one voice alone. */
  otherSpans: SpeechSpan[]
}

/** A window before anybody knows its language. */
export interface CutWindow {
  channel: 0 | 1
  index: number
  window: SpeechWindow
  /** Identifies the window and all that decides its text: see WindowResult. */
  key: string
}

/** What a model is to be asked. */
export interface PlannedWindow extends CutWindow {
  language: string
  /** Null where the language was given, not detected. */
  languageProbability: number | null
  model: SpeechModel
}

/** What is to be asked about a channel. */
export interface ChannelPlan extends Channel {
  /** The language most of it is in; null where nothing is said in the channel and nothing was asked for. */
  language: string | null
  /** Null where the language was given, not detected. */
  languageProbability: number | null
  /** Passages that seem to be in another language than the one the channel is transcribed in. */
  otherLanguages: { language: string; startMs: number; endMs: number }[]
  windows: PlannedWindow[]
}

const speakers = ['Speaker A', 'Speaker B'] as const
/** Where the language of each part is to be told, parts are short: a sentence or two. */
const maxPartMs = 15_000

/**
 * The voices of a recording: left is Speaker A and right is Speaker B (audio-workflow specification, section 1); mono, or one
 * voice saved as stereo, is Speaker A alone. `languages` gives one for each channel; the last counts for those behind it.
 */
export async function listChannels(
  decoded: DecodedAudio,
  languages: readonly TranscriptionLanguageChoice[],
  options: { signal?: AbortSignal },
): Promise<Channel[]> {
  const spans = await detectSpeech(decoded, options)
  return spans.map((own, index) => {
    const channel = index === 0 ? 0 : 1
    return {
      channel,
      speaker: speakers[channel],
      languageChoice: languages[channel] ?? languages.at(-1) ?? 'auto',
      frames: decoded.frames[channel] ?? new Float32Array(),
      spans: own,
      otherSpans: spans[1 - channel] ?? [],
    }
  })
}

/** Cuts a channel's speech into what `model` can hear in one call. */
export function cutWindows(
  { channel, languageChoice, frames, spans, otherSpans }: Channel,
  model: SpeechModel,
  prompt = '',
): CutWindow[] {
  const maxWindowMs = languageChoice === 'multi' ? Math.min(maxPartMs, model.maxWindowMs) : model.maxWindowMs
  const options = { frames, maxWindowMs, oneSpanPerWindow: model.oneSpanPerWindow, otherSpans }
  return packWindows(spans, options).map((window, index) => ({
    channel,
    index,
    window,
    key: windowKey({ channel, index, window }, { model, languageChoice, prompt }),
  }))
}

/** Refuses a language the model was not made for. */
export function requireLanguage(model: SpeechModel, language: string): void {
  if (model.languages.includes(language)) return
  const { name } = describeLanguage(language)
  throw new AppError('unsupported_language', `The speech model ${model.name} does not know ${name}.`, {
    help: `It knows ${model.languages.map((code) => describeLanguage(code).name).join(', ')}.`,
  })
}
