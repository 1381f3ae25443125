import { joinLines } from '#contract/progress-text.ts'
import type { ModelProvenance } from '#contract/provenance.ts'
import type {
  Segment,
  SpeakerSeparation,
  SpeakerTranscription,
  TranscriptionProgress,
  TranscriptionResult,
  TranscriptionWarning,
  Word,
} from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { ChannelPlan } from './channel-plan.ts'
import { labelVoices } from './speaker-labels.ts'
import type { LabelledVoice as LabelledVoiceOf } from './speaker-labels.ts'
import type { AttributedWindow, VoiceLine } from './voice-lines.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { LineWord, TranscriptLine } from './transcript-line.ts'

type LabelledVoice = LabelledVoiceOf<ChannelPlan>

/** A line with its channel and language. */
interface PlacedLine extends VoiceLine {
  channel: 0 | 1
  language: string
}

/** Returns the lines of all channels in order of time. */
function mergeLines(results: Iterable<AttributedWindow>): PlacedLine[] {
  return [...results]
    .flatMap(({ channel, language, lines }) => lines.map((line) => ({ ...line, channel, language })))
    .toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
}

interface SegmentOptions {
  plans: ChannelPlan[]
  /** Empty for a recording with one voice, whose segments have no speaker. */
  voices: LabelledVoice[]
  hasWords: boolean
}

/** Converts lines to segments. Only segments of a recording with two channels have a channel. */
function toSegments(lines: PlacedLine[], { plans, voices, hasWords }: SegmentOptions): Segment[] {
  return lines.map((line) => {
    const { channel, language } = line
    const voice = voices.find(({ isSpeakerOf }) => isSpeakerOf(line))
    const plan = plans.find((candidate) => candidate.channel === channel)
    return {
      ...toSegment(line),
      ...(hasWords && { words: line.words.map(toWord) }),
      ...(voice && { speaker: voice.label }),
      ...(plans.length > 1 && { channel }),
      ...(line.hasOverlap && voice && { overlap: true }),
      ...(language !== plan?.language && { language }),
    }
  })
}

function toSegment({ startMs, endMs, text, confidence }: TranscriptLine): Segment {
  return { start: toSeconds(startMs), end: toSeconds(endMs), text, ...toConfidence(confidence) }
}

function toWord({ startMs, endMs, text, confidence, correction }: LineWord): Word {
  const times = { start: toSeconds(startMs), end: toSeconds(endMs) }
  return { text, ...times, ...toConfidence(confidence), ...(correction && { correction }) }
}

/** Returns no field if the engine did not report a confidence. */
function toConfidence(confidence: number | null): { confidence?: number } {
  return confidence === null ? {} : { confidence: round(confidence, 100) }
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps
}

/** Returns the progress of a stage without text, in hundredths of the recording. */
export function stageProgress(share: number, stage?: TranscriptionProgress['stage']): TranscriptionProgress {
  return {
    current_segment: Math.round(share * 100),
    total_segments: 100,
    detected_language: null,
    language_probability: null,
    latest_segment: null,
    partial_text: '',
    partial_segments: [],
    ...(stage && { stage }),
  }
}

/** Returns the progress and the partial text after `done` windows; `latest` is the last finished window, if any. */
export function buildProgress(
  plans: ChannelPlan[],
  {
    done,
    total,
    results,
    latest,
    secondsLeft,
  }: {
    done: number
    total: number
    results: Iterable<AttributedWindow>
    latest?: AttributedWindow
    /** Null until it can be estimated. */
    secondsLeft: number | null
  },
): TranscriptionProgress {
  const current = plans.find(({ channel }) => channel === latest?.channel) ?? findMainPlan(plans)
  const lines = mergeLines(results)
  const hasSpeakers = plans.length > 1 || plans.some(({ voices }) => voices)
  const options = { plans, voices: hasSpeakers ? labelVoices(plans, lines) : [], hasWords: false }
  const segments = toSegments(lines, options)
  return {
    current_segment: done,
    total_segments: total,
    detected_language: current?.language ?? null,
    language_probability: current?.languageProbability ?? null,
    latest_segment: (latest && toSegments(mergeLines([latest]), options).at(-1)) ?? null,
    partial_text: joinLines(segments),
    partial_segments: segments,
    ...(secondsLeft !== null && { seconds_left: Math.round(secondsLeft) }),
  }
}

/**
 * Returns the whole transcription. `num_speakers` counts the speakers with at least one segment, and the language is that of the channel
 * with the most speech; `speaker_transcriptions` has every channel, including silent ones, and every voice with a segment.
 */
export function buildResult(
  decoded: DecodedAudio,
  plans: ChannelPlan[],
  {
    model,
    provenance,
    results,
    warnings,
  }: {
    model: SpeechModel
    provenance: ModelProvenance[]
    results: AttributedWindow[]
    warnings: TranscriptionWarning[]
  },
): TranscriptionResult {
  const lines = mergeLines(results)
  const labelled = labelVoices(plans, lines)
  // A voice without any transcribed line does not count as a second speaker.
  const voices = labelled.length > 1 ? labelled : []
  const segments = toSegments(lines, { plans, voices, hasWords: true })
  const speakers =
    voices.length > 0
      ? voices.map((voice) => describeSpeaker(voice, segments))
      : plans.map((plan) => describeSpeaker({ label: plan.speaker, plan }, segments))
  const main = findMainPlan(plans)
  const separation = describeSeparation(plans, voices)
  return {
    transcription_id: null,
    transcription: joinLines(segments),
    detected_language: main?.language ?? null,
    language_probability: main?.languageProbability ?? null,
    num_speakers: speakers.filter(({ segment_count }) => segment_count > 0).length,
    segments,
    speaker_transcriptions: speakers,
    ...(separation && { speaker_separation: separation }),
    duration: decoded.durationMs / 1000,
    model: modelIds(plans, model).join(', '),
    provenance,
    warnings,
  }
}

function describeSeparation(plans: ChannelPlan[], labelled: LabelledVoice[]): SpeakerSeparation | undefined {
  if (labelled.length === 0) return undefined
  const band = plans.find(({ voices }) => voices)?.voices?.band
  return band ? { by: 'voices', band } : { by: 'channels' }
}

/** Returns the models of the windows in the order of the channels; the main one for a recording without speech. */
function modelIds(plans: ChannelPlan[], main: SpeechModel): string[] {
  const used = new Set(plans.flatMap(({ windows }) => windows.map(({ model }) => model.id)))
  return used.size > 0 ? [...used] : [main.id]
}

function describeSpeaker({ label, plan }: Pick<LabelledVoice, 'label' | 'plan'>, all: Segment[]): SpeakerTranscription {
  const segments = all.filter(({ speaker = label }) => speaker === label)
  return {
    speaker: label,
    channel: plan.channel,
    transcription: joinLines(segments),
    segment_count: segments.length,
    detected_language: plan.language,
    language_probability: plan.languageProbability,
    segments,
  }
}

/** Returns the plan of the channel with the most speech. */
function findMainPlan(plans: ChannelPlan[]): ChannelPlan | undefined {
  const spokenMs = ({ spans }: ChannelPlan) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return plans.toSorted((a, b) => spokenMs(b) - spokenMs(a))[0]
}
