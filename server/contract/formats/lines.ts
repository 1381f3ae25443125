import type { Segment, TranscriptionResult } from '../transcription.ts'
import type { TranslatedSegment, TranslationResult } from '../translation.ts'
import { toMs } from './time.ts'

/** A transcript and, where there is one, its translation. `name` is the recording's, for the head of a text file. */
export interface TranscriptDocument {
  name: string | null
  transcription: TranscriptionResult
  translation: TranslationResult | null
}

/** One segment ready to be written: each text is one line. `translation` is null where nothing was translated. */
export interface TranscriptLine {
  startMs: number
  endMs: number
  speaker: string | null
  text: string
  /** Code of the language spoken, null where unknown. */
  language: string | null
  translation: { text: string; error: string | null } | null
}

const shownNames: Record<string, string> = { 'Speaker A': 'Left Channel', 'Speaker B': 'Right Channel' }

/** What readers see for a speaker: the channel's name for Speaker A and B (audio-workflow specification, section 1). */
export function speakerLabel(speaker: string): string {
  return shownNames[speaker] ?? speaker
}

/** All segments in order of time. */
export function transcriptLines({ transcription, translation }: TranscriptDocument): TranscriptLine[] {
  const translated = indexTranslation(translation)
  const languages = new Map(
    transcription.speaker_transcriptions.map(({ speaker, detected_language }) => [speaker, detected_language]),
  )
  return transcription.segments.map((segment) => {
    const language = languages.get(segment.speaker ?? '') ?? transcription.detected_language
    const found = translated.get(keyOf(segment.speaker, segment)) ?? translated.get(keyOf(undefined, segment))
    return toLine(segment, language, found)
  })
}

/** `text` as one line: any run of white space, line breaks among them, becomes a blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function indexTranslation(translation: TranslationResult | null): Map<string, TranslatedSegment> {
  const index = new Map<string, TranslatedSegment>()
  for (const segment of translation?.segments ?? []) index.set(keyOf(undefined, segment), segment)
  for (const { speaker, segments } of translation?.speaker_translations ?? []) {
    for (const segment of segments) index.set(keyOf(speaker, segment), segment)
  }
  return index
}

// The text is part of the key: where two speakers begin and end together, or a segment was edited since, no line gets another's words.
function keyOf(speaker: string | undefined, { start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([speaker, start, end, text])
}

function toLine(segment: Segment, language: string | null, translated: TranslatedSegment | undefined): TranscriptLine {
  return {
    startMs: toMs(segment.start),
    endMs: toMs(segment.end),
    speaker: segment.speaker ?? null,
    text: oneLine(segment.text),
    language,
    translation: translated ? { text: oneLine(translated.translated_text), error: translated.error } : null,
  }
}
