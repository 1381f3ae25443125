import { z } from 'zod'
import { DiarizationResult } from './entities/job.ts'
import { RecordingDetails, StoredTranslation } from './entities/recording.ts'
import { joinLines } from './progress-text.ts'
import { joinSpeakerTranslation, joinTranslatedTexts } from './speaker-translation.ts'
import { Segment, SpeakerTranscription, TranscriptionResult, WordCorrection, type Word } from './transcription.ts'
import { SpeakerTranslation, TranslatedSegment } from './translation.ts'

/**
 * The details of a recording without what can be derived from the rest: a seventh of the bytes for an hour-long call. `expandDetails`
 * restores the whole. Each field that can be left out may also be present, as in RecordingDetails, and then takes precedence.
 */

/** Asks for the compact form, which is for programs that have `expandDetails`. */
export const CompactQuery = z.object({ compact: z.stringbool().default(false) })
export const compactSummary = '; with `compact` without what follows from the rest'

/** Times of words are in hundredths of a second, their confidences in hundredths. */
export const wordSteps = 100
export const unknownConfidence = -1

/**
 * `word_times` has three numbers per word of `text`: the gap since the end of the previous word, the duration, and the confidence.
 * `word_corrections` are the corrections of words, by word index.
 */
const CompactSegment = Segment.extend({
  word_times: z.array(z.int()).optional(),
  word_corrections: z.array(WordCorrection.extend({ word: z.int().nonnegative() })).optional(),
})
type CompactSegment = z.infer<typeof CompactSegment>

/** Fields that can be derived from the segments of the transcription are left out. */
const CompactTranscription = TranscriptionResult.extend({
  transcription: z.string().optional(),
  segments: z.array(CompactSegment),
  speaker_transcriptions: z.array(
    SpeakerTranscription.extend({ transcription: z.string().optional(), segments: z.array(Segment).optional() }),
  ),
})
type CompactTranscription = z.infer<typeof CompactTranscription>

/**
 * Without times and text, the segment translates a line of the transcription: `line` if present, otherwise the line after that of the
 * previous segment.
 */
const CompactTranslatedSegment = TranslatedSegment.extend({
  start: TranslatedSegment.shape.start.optional(),
  end: TranslatedSegment.shape.end.optional(),
  text: z.string().optional(),
  error: z.string().nullable().optional(),
  line: z.int().nonnegative().optional(),
})
type CompactTranslatedSegment = z.infer<typeof CompactTranslatedSegment>

/** `steps` are the differences between consecutive indices of the speaker's segments in the translation, starting from -1. */
const CompactSpeakerTranslation = SpeakerTranslation.partial().extend({
  speaker: z.string(),
  steps: z.array(z.int().positive()).optional(),
})

const CompactTranslation = StoredTranslation.extend({
  translated_text: z.string().optional(),
  original_text: z.string().optional(),
  segments: z.array(CompactTranslatedSegment),
  speaker_translations: z.array(CompactSpeakerTranslation),
})
export type CompactTranslation = z.infer<typeof CompactTranslation>

/** Without a text and a time, the turn is the line of the transcription with the same index. */
const CompactDiarization = DiarizationResult.extend({
  dialogue_timeline: z.array(
    z.object({ speaker: z.string(), timestamp: z.number().nonnegative().optional(), text: z.string().optional() }),
  ),
})
export type CompactDiarization = z.infer<typeof CompactDiarization>

export const CompactDetails = RecordingDetails.extend({
  transcription: CompactTranscription.nullable(),
  translations: z.array(CompactTranslation),
  diarization: CompactDiarization.nullable(),
})
export type CompactDetails = z.infer<typeof CompactDetails>

/** Returns the complete details of a recording. */
export function expandDetails({ transcription, translations, diarization, ...rest }: CompactDetails): RecordingDetails {
  const expanded = transcription && expandTranscription(transcription)
  const lines = expanded?.segments ?? []
  return {
    ...rest,
    transcription: expanded,
    translations: translations.map((translation) => expandTranslation(translation, expanded)),
    diarization: diarization && {
      ...diarization,
      dialogue_timeline: diarization.dialogue_timeline.map(({ speaker, timestamp, text }, index) => {
        const line = lines[index]
        return { speaker, timestamp: timestamp ?? line?.start ?? 0, text: text ?? line?.text ?? '' }
      }),
    },
  }
}

function expandTranscription(compact: CompactTranscription): TranscriptionResult {
  const segments = compact.segments.map(expandSegment)
  return {
    ...compact,
    segments,
    transcription: compact.transcription ?? joinLines(segments),
    speaker_transcriptions: compact.speaker_transcriptions.map((entry) => {
      const own = entry.segments ?? segmentsOf(entry.speaker, segments)
      return { ...entry, transcription: entry.transcription ?? joinLines(own), segments: own }
    }),
  }
}

/** Returns the segments of a speaker, including segments that name no speaker. */
export function segmentsOf(label: string, segments: Segment[]): Segment[] {
  return segments.filter(({ speaker = label }) => speaker === label)
}

function expandSegment({ word_times: times, word_corrections: corrections = [], ...segment }: CompactSegment): Segment {
  if (!times) return segment
  const words = expandWords(segment, times)
  for (const { word: index, ...correction } of corrections) {
    const word = words[index]
    if (word) word.correction = correction
  }
  return { ...segment, words }
}

function expandWords({ start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>, times: number[]): Word[] {
  let steps = 0
  // A word never leaves its segment, whose times are not rounded.
  const toSeconds = () => Math.min(end, Math.round((start + steps / wordSteps) * 1000) / 1000)
  return wordsOf(text).map((word, index): Word => {
    const [gap = 0, duration = 0, confidence = unknownConfidence] = times.slice(index * 3, index * 3 + 3)
    steps += gap
    const from = toSeconds()
    steps += duration
    return {
      text: word,
      start: from,
      end: toSeconds(),
      ...(confidence !== unknownConfidence && { confidence: confidence / wordSteps }),
    }
  })
}

/** Returns the words of a text, split at whitespace. */
export function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? []
}

function expandTranslation(
  { speaker_translations: speakers, ...compact }: CompactTranslation,
  transcription: Pick<TranscriptionResult, 'segments' | 'transcription'> | null,
): StoredTranslation {
  const segments = expandTranslatedSegments(compact.segments, transcription?.segments ?? [])
  return {
    ...compact,
    segments,
    translated_text: compact.translated_text ?? joinTranslatedTexts(segments, speakers.length > 0 ? '\n' : ' '),
    original_text: compact.original_text ?? transcription?.transcription ?? '',
    speaker_translations: speakers.map(({ steps, ...entry }) => {
      const own = entry.segments ?? segmentsAt(steps ?? [], segments)
      return { ...joinSpeakerTranslation(entry.speaker, own), ...entry, segments: own }
    }),
  }
}

function expandTranslatedSegments(compact: CompactTranslatedSegment[], lines: Segment[]): TranslatedSegment[] {
  let next = 0
  return compact.map(({ line: named, error = null, start, end, text, ...segment }) => {
    if (start !== undefined && end !== undefined && text !== undefined) return { start, end, text, ...segment, error }
    const line = lines[named ?? next]
    next = (named ?? next) + 1
    return { start: line?.start ?? 0, end: line?.end ?? 0, text: line?.text ?? '', ...segment, error }
  })
}

function segmentsAt(steps: number[], segments: TranslatedSegment[]): TranslatedSegment[] {
  let index = -1
  return steps.flatMap((step) => {
    index += step
    return segments[index] ?? []
  })
}
