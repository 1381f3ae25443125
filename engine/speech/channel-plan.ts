import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { packWindows } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeakerTurns } from '#engine/speakers/speaker-turns.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { windowKey } from './window-result.ts'

/** A channel of the recording and where somebody speaks in it. */
export interface Channel {
  channel: 0 | 1
  /** The only speaker of the channel, or the one of its voices that speaks most. */
  speaker: string
  /** Who of several voices speaks when; null for one voice, and where voices were not told apart. */
  voices: SpeakerTurns | null
  languageChoice: TranscriptionLanguageChoice
  frames: Float32Array
  spans: SpeechSpan[]
  /** Where the other channel speaks; empty for one channel alone. */
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
/** Where the language of each part is to be detected, parts are short: a sentence or two. */
const maxPartMs = 15_000

interface ChannelFacts {
  /** The speech of each channel. */
  spans: SpeechSpan[][]
  /** The voices of each channel. */
  voices: (SpeakerTurns | null)[]
  /** One for each channel; the last counts for those behind it. */
  languages: readonly TranscriptionLanguageChoice[]
}

/**
 * The channels of a recording: left is Speaker A and right is Speaker B (audio-workflow specification, section 1); mono, or one
 * sound saved as stereo, is one channel.
 */
export function listChannels(decoded: DecodedAudio, { spans, voices, languages }: ChannelFacts): Channel[] {
  return spans.map((own, index) => {
    const channel = index === 0 ? 0 : 1
    const found = voices[index]
    return {
      channel,
      speaker: speakers[channel],
      voices: found && found.voiceCount > 1 ? found : null,
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
