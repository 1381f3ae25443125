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
import type { Utterance } from './window-result.ts'

/** A channel of the recording with its detected speech. */
export interface Channel {
  channel: 0 | 1
  /** Label of the channel's only speaker, or of the voice that speaks most in it. */
  speaker: string
  /** The turns of several voices; null for a single voice or a channel that was not diarized. */
  voices: SpeakerTurns | null
  languageChoice: TranscriptionLanguageChoice
  frames: Float32Array
  spans: SpeechSpan[]
  /** Speech of the other channel; empty for a single channel. */
  otherSpans: SpeechSpan[]
  /** Passages in which only the voice of the other channel is heard; they are not transcribed. */
  bleed: SpeechSpan[]
}

/** A window whose language is not known yet. */
export interface CutWindow {
  channel: 0 | 1
  index: number
  window: SpeechWindow
  /** Identifies the window and everything that determines its text; see WindowResult. */
  key: string
}

/** A window with the language and the model for its transcription. */
export interface PlannedWindow extends CutWindow {
  language: string
  /** Null where the language was given rather than detected. */
  languageProbability: number | null
  model: SpeechModel
  /** The utterances in it, if the language of each was detected. */
  utterances?: Utterance[]
}

/** The windows of a channel and its language. */
export interface ChannelPlan extends Channel {
  /** The language of most of the channel; null if the channel has no speech and no language was given. */
  language: string | null
  /** Null where the language was given rather than detected. */
  languageProbability: number | null
  /** Passages that seem to be in a language other than the one in which the channel is transcribed. */
  otherLanguages: { language: string; startMs: number; endMs: number }[]
  windows: PlannedWindow[]
}

const speakers = ['Speaker A', 'Speaker B'] as const

interface ChannelInputs {
  /** The speech of each channel. */
  spans: SpeechSpan[][]
  /** The bleed in each channel. */
  bleed: SpeechSpan[][]
  /** The voices of each channel. */
  voices: (SpeakerTurns | null)[]
  /** One per channel; the last one applies to all further channels. */
  languages: readonly TranscriptionLanguageChoice[]
}

/**
 * Returns the channels of a recording: left is Speaker A and right is Speaker B (audio-workflow specification, section 1); mono is one
 * channel, even if saved as stereo.
 */
export function listChannels(decoded: DecodedAudio, { spans, bleed, voices, languages }: ChannelInputs): Channel[] {
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
      bleed: bleed[channel] ?? [],
    }
  })
}

/** Packs a channel's speech into windows for `model`, which stay within `bounds` and are numbered from `firstIndex`. */
export function cutWindows(
  { channel, languageChoice, frames, spans, otherSpans }: Channel,
  model: SpeechModel,
  { prompt = '', bounds, firstIndex = 0 }: { prompt?: string; bounds?: SpeechSpan; firstIndex?: number } = {},
): CutWindow[] {
  const { maxWindowMs, oneSpanPerWindow } = model
  const options = { frames, maxWindowMs, oneSpanPerWindow, otherSpans, bounds }
  return packWindows(spans, options).map((window, at) => {
    const index = firstIndex + at
    return { channel, index, window, key: windowKey({ channel, index, window }, { model, languageChoice, prompt }) }
  })
}

/** Throws `unsupported_language` for a language for which the model was not trained. */
export function assertSupportsLanguage(model: SpeechModel, language: string): void {
  if (model.languages.includes(language)) return
  const { name } = describeLanguage(language)
  throw new AppError('unsupported_language', `The speech model ${model.name} does not know ${name}.`, {
    help: `It knows ${model.languages.map((code) => describeLanguage(code).name).join(', ')}.`,
  })
}
