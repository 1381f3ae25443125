import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import {
  segmentsOf,
  unknownConfidence,
  wordsOf,
  wordSteps,
  type CompactDetails,
  type CompactDiarization,
  type CompactTranslation,
} from '#contract/compact-details.ts'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'
import { joinLines } from '#contract/progress-text.ts'
import { joinSpeakerTranslation, joinTranslatedTexts } from '#contract/speaker-translation.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'

type CompactTranscription = NonNullable<CompactDetails['transcription']>
type CompactSegment = CompactTranscription['segments'][number]

type Details = z.input<typeof RecordingDetails>

/** Returns the details in full, or compact if requested. */
export function toRequestedForm(
  details: Details,
  { compact }: { compact: boolean },
): Details | z.input<typeof CompactDetails> {
  return compact ? compactDetails(details) : details
}

/**
 * Returns the details without what `expandDetails` restores. A field is left out if that function would return exactly its content; only
 * word times are rounded, to hundredths of a second.
 */
export function compactDetails(details: Details): z.input<typeof CompactDetails> {
  const { transcription, translations, diarization } = details
  return {
    ...details,
    transcription: transcription && compactTranscription(transcription),
    translations: translations.map((translation) => compactTranslation(translation, transcription)),
    diarization: diarization && compactDiarization(diarization, transcription?.segments ?? []),
  }
}

function compactTranscription(whole: TranscriptionResult): CompactTranscription {
  const { transcription, segments, speaker_transcriptions: speakers, ...rest } = whole
  return {
    ...rest,
    ...(joinLines(segments) !== transcription && { transcription }),
    segments: segments.map(compactSegment),
    speaker_transcriptions: speakers.map(({ transcription: text, segments: own, ...entry }) => ({
      ...entry,
      ...(joinLines(own) !== text && { transcription: text }),
      ...(!isDeepStrictEqual(own, segmentsOf(entry.speaker, segments)) && { segments: own }),
    })),
  }
}

function compactSegment(segment: Segment): CompactSegment {
  const { words, ...rest } = segment
  if (!words) return segment
  const texts = words.map(({ text }) => text)
  if (!isDeepStrictEqual(texts, wordsOf(segment.text))) return segment
  const toSteps = (seconds: number) => Math.round((seconds - segment.start) * wordSteps)
  let before = 0
  const times = words.flatMap(({ start, end, confidence }) => {
    const [from, to] = [toSteps(start), toSteps(end)]
    const gap = from - before
    before = to
    return [gap, to - from, confidence === undefined ? unknownConfidence : Math.round(confidence * wordSteps)]
  })
  const corrections = words.flatMap(({ correction }, word) => (correction ? [{ ...correction, word }] : []))
  return { ...rest, word_times: times, ...(corrections.length > 0 && { word_corrections: corrections }) }
}

function compactTranslation(whole: StoredTranslation, transcription: TranscriptionResult | null): CompactTranslation {
  const { translated_text, original_text, segments, speaker_translations: speakers, ...rest } = whole
  const indexes = new Map(segments.map((segment, index) => [keyOf(segment), index]))
  const separator = speakers.length > 0 ? '\n' : ' '
  return {
    ...rest,
    ...(joinTranslatedTexts(segments, separator) !== translated_text && { translated_text }),
    ...(transcription?.transcription !== original_text && { original_text }),
    segments: compactTranslatedSegments(segments, transcription?.segments ?? []),
    speaker_translations: speakers.map(({ translated_text: text, segments: own, ...entry }) => {
      const steps = toSteps(own.map((segment) => indexes.get(keyOf(segment)) ?? -1))
      const isJoined = joinSpeakerTranslation(entry.speaker, own).translated_text === text
      return { ...entry, ...(!isJoined && { translated_text: text }), ...(steps ? { steps } : { segments: own }) }
    }),
  }
}

function compactTranslatedSegments(
  segments: StoredTranslation['segments'],
  lines: Segment[],
): CompactTranslation['segments'] {
  const indexes = new Map(lines.map((line, index) => [lineKey(line), index]))
  let next = 0
  return segments.map(({ start, end, text, error, ...segment }) => {
    const shown = error === null ? segment : { ...segment, error }
    const line = indexes.get(lineKey({ start, end, text }))
    if (line === undefined) return { ...shown, start, end, text }
    const isNext = line === next
    next = line + 1
    return isNext ? shown : { ...shown, line }
  })
}

/** Returns undefined if the indexes do not increase: in that case they do not identify segments. */
function toSteps(indexes: number[]): number[] | undefined {
  const steps = indexes.map((index, at) => index - (indexes[at - 1] ?? -1))
  return steps.every((step, at) => step > 0 && indexes[at] !== -1) ? steps : undefined
}

function compactDiarization(whole: DiarizationResult, lines: Segment[]): CompactDiarization {
  return {
    ...whole,
    dialogue_timeline: whole.dialogue_timeline.map((turn, index) => {
      const line = lines[index]
      return line?.start === turn.timestamp && line.text === turn.text ? { speaker: turn.speaker } : turn
    }),
  }
}

function lineKey({ start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return `${start} ${end} ${text}`
}

function keyOf(segment: StoredTranslation['segments'][number]): string {
  return JSON.stringify([segment.start, segment.end, segment.text, segment.translated_text, segment.error])
}
