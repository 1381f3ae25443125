import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/speech-detector.ts'
import type { SpeechSpan } from '#engine/audio/speech-detector.ts'
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
}

export interface PlannedWindow {
  channel: 0 | 1
  index: number
  window: SpeechWindow
  /** Identifies the window and all that decides its text: see WindowResult. */
  key: string
}

/** What a model is to be asked about a channel. */
export interface ChannelPlan extends Channel {
  /** Null where nothing is said in the channel and nothing was asked for. */
  language: string | null
  /** Null where the language was given, not detected. */
  languageProbability: number | null
  model: SpeechModel
  windows: PlannedWindow[]
}

const speakers = ['Speaker A', 'Speaker B'] as const

/**
 * The voices of a recording: left is Speaker A and right is Speaker B (audio-workflow specification, section 1); mono, or one
 * voice saved as stereo, is Speaker A alone. `languages` gives one for each channel; the last counts for those behind it.
 */
export function listChannels(decoded: DecodedAudio, languages: readonly TranscriptionLanguageChoice[]): Channel[] {
  const isStereo = decoded.channelCount === 2 && !decoded.isDualMono
  const numbers: (0 | 1)[] = isStereo ? [0, 1] : [0]
  return numbers.map((channel) => {
    const frames = decoded.frames[channel] ?? new Float32Array()
    const other = isStereo ? decoded.frames[1 - channel] : undefined
    return {
      channel,
      speaker: speakers[channel],
      languageChoice: languages[channel] ?? languages.at(-1) ?? 'auto',
      frames,
      spans: detectSpeech(frames, { other }),
    }
  })
}

/** Cuts a channel's speech into what `model` can hear in one call. */
export function planWindows({ channel, languageChoice, frames, spans }: Channel, model: SpeechModel): PlannedWindow[] {
  const { maxWindowMs, oneSpanPerWindow } = model
  return packWindows(spans, { frames, maxWindowMs, oneSpanPerWindow }).map((window, index) => ({
    channel,
    index,
    window,
    key: windowKey({ channel, index, window }, { model, languageChoice }),
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
