import type {
  Segment,
  SpeakerTranscription,
  TranscriptionProgress,
  TranscriptionResult,
  TranscriptionWarning,
} from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { ChannelPlan } from './channel-plan.ts'
import type { WindowResult } from './window-result.ts'
import type { TimedText } from './window-text.ts'

/** The segments of all channels in order of time. A recording of one voice has segments without speaker and channel. */
export function mergeSegments(plans: ChannelPlan[], results: Iterable<WindowResult>): Segment[] {
  const texts = [...results].flatMap(({ channel, texts }) => texts.map((text) => ({ channel, ...text })))
  const isDialogue = plans.length > 1
  return texts
    .toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
    .map(({ channel, ...text }) => {
      const speaker = plans.find((plan) => plan.channel === channel)?.speaker
      return isDialogue ? { ...toSegment(text), speaker, channel } : toSegment(text)
    })
}

function toSegment({ startMs, endMs, text }: TimedText): Segment {
  return { start: Math.round(startMs) / 1000, end: Math.round(endMs) / 1000, text }
}

/** The words as running text: one speaker's sentences follow each other, another speaker begins a line. */
export function joinText(segments: Segment[]): string {
  return segments
    .map(({ text, channel }, index) => {
      if (index === 0) return text
      return segments[index - 1]?.channel === channel ? ` ${text}` : `\n${text}`
    })
    .join('')
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
  return {
    current_segment: done,
    total_segments: total,
    detected_language: spoken?.language ?? null,
    language_probability: spoken?.languageProbability ?? null,
    latest_segment: (latest && mergeSegments(plans, [latest]).at(-1)) ?? null,
    partial_text: joinText(mergeSegments(plans, results)),
  }
}

/**
 * The whole transcription. `num_speakers` counts those who said something, and the language is that of the channel with most
 * speech; `speaker_transcriptions` has every channel, also a silent one.
 */
export function buildResult(
  decoded: DecodedAudio,
  plans: ChannelPlan[],
  { results, warnings }: { results: WindowResult[]; warnings: TranscriptionWarning[] },
): TranscriptionResult {
  const segments = mergeSegments(plans, results)
  const bySpeaker = plans.map((plan) => describeSpeaker(plan, plans, results))
  const main = mainPlan(plans)
  return {
    transcription_id: null,
    transcription: joinText(segments),
    detected_language: main?.language ?? null,
    language_probability: main?.languageProbability ?? null,
    num_speakers: bySpeaker.filter(({ segment_count }) => segment_count > 0).length,
    segments,
    speaker_transcriptions: bySpeaker,
    duration: decoded.durationMs / 1000,
    model: [...new Set(plans.map(({ model }) => model.id))].join(', '),
    warnings,
  }
}

function describeSpeaker(plan: ChannelPlan, plans: ChannelPlan[], results: WindowResult[]): SpeakerTranscription {
  const { speaker, channel, language, languageProbability } = plan
  const segments = mergeSegments(
    plans,
    results.filter((result) => result.channel === channel),
  )
  return {
    speaker,
    channel,
    transcription: joinText(segments),
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
