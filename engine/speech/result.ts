import { joinLines } from '#contract/progress-text.ts'
import type {
  Segment,
  SpeakerTranscription,
  TranscriptionProgress,
  TranscriptionResult,
  TranscriptionWarning,
  Word,
} from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { ChannelPlan } from './channel-plan.ts'
import type { WindowResult } from './window-result.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { LineWord, TranscriptLine } from './transcript-line.ts'

/**
 * The segments of all channels in order of time. A recording of one voice has segments without speaker and channel. `hasWords: false`
 * leaves their words out.
 */
export function mergeSegments(
  plans: ChannelPlan[],
  results: Iterable<WindowResult>,
  { hasWords }: { hasWords: boolean },
): Segment[] {
  const lines = [...results].flatMap(({ channel, language, lines }) =>
    lines.map((line) => ({ channel, language, line })),
  )
  const isDialogue = plans.length > 1
  return lines
    .toSorted((a, b) => a.line.startMs - b.line.startMs || a.channel - b.channel)
    .map(({ channel, language, line }) => {
      const plan = plans.find((candidate) => candidate.channel === channel)
      return {
        ...toSegment(line),
        ...(hasWords && { words: line.words.map(toWord) }),
        ...(isDialogue && { speaker: plan?.speaker, channel }),
        ...(language !== plan?.language && { language }),
      }
    })
}

function toSegment({ startMs, endMs, text, confidence }: TranscriptLine): Segment {
  return { start: toSeconds(startMs), end: toSeconds(endMs), text, ...toConfidence(confidence) }
}

function toWord({ startMs, endMs, text, confidence }: LineWord): Word {
  return { text, start: toSeconds(startMs), end: toSeconds(endMs), ...toConfidence(confidence) }
}

/** Nothing where the engine did not tell. */
function toConfidence(confidence: number | null): { confidence?: number } {
  return confidence === null ? {} : { confidence: round(confidence, 100) }
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps
}

/** What is known after `done` windows; `latest` is the window that was finished last, if any was. */
export function buildProgress(
  plans: ChannelPlan[],
  {
    done,
    total,
    results,
    latest,
  }: { done: number; total: number; results: Iterable<WindowResult>; latest?: WindowResult },
): TranscriptionProgress {
  const spoken = plans.find(({ channel }) => channel === latest?.channel) ?? mainPlan(plans)
  const segments = mergeSegments(plans, results, { hasWords: false })
  return {
    current_segment: done,
    total_segments: total,
    detected_language: spoken?.language ?? null,
    language_probability: spoken?.languageProbability ?? null,
    latest_segment: (latest && mergeSegments(plans, [latest], { hasWords: false }).at(-1)) ?? null,
    partial_text: joinLines(segments),
    partial_segments: segments,
  }
}

/**
 * The whole transcription. `num_speakers` counts those who said something, and the language is that of the channel with most
 * speech; `speaker_transcriptions` has every channel, also a silent one.
 */
export function buildResult(
  decoded: DecodedAudio,
  plans: ChannelPlan[],
  { model, results, warnings }: { model: SpeechModel; results: WindowResult[]; warnings: TranscriptionWarning[] },
): TranscriptionResult {
  const segments = mergeSegments(plans, results, { hasWords: true })
  const bySpeaker = plans.map((plan) => describeSpeaker(plan, plans, results))
  const main = mainPlan(plans)
  return {
    transcription_id: null,
    transcription: joinLines(segments),
    detected_language: main?.language ?? null,
    language_probability: main?.languageProbability ?? null,
    num_speakers: bySpeaker.filter(({ segment_count }) => segment_count > 0).length,
    segments,
    speaker_transcriptions: bySpeaker,
    duration: decoded.durationMs / 1000,
    model: modelIds(plans, model).join(', '),
    warnings,
  }
}

/** The models that were asked, in the order of the channels; the main one where nothing was said. */
function modelIds(plans: ChannelPlan[], main: SpeechModel): string[] {
  const used = new Set(plans.flatMap(({ windows }) => windows.map(({ model }) => model.id)))
  return used.size > 0 ? [...used] : [main.id]
}

function describeSpeaker(plan: ChannelPlan, plans: ChannelPlan[], results: WindowResult[]): SpeakerTranscription {
  const { speaker, channel, language, languageProbability } = plan
  const segments = mergeSegments(
    plans,
    results.filter((result) => result.channel === channel),
    { hasWords: true },
  )
  return {
    speaker,
    channel,
    transcription: joinLines(segments),
    segment_count: segments.length,
    detected_language: language,
    language_probability: languageProbability,
    segments,
  }
}

function mainPlan(plans: ChannelPlan[]): ChannelPlan | undefined {
  const spokenMs = ({ spans }: ChannelPlan) => spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return plans.toSorted((a, b) => spokenMs(b) - spokenMs(a))[0]
}
