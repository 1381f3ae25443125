import type { StoredTranslation } from '#contract/entities/recording.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import { translatedLines, type TranslatedLine } from '../translation/translated-lines.ts'

interface FoundTranslation {
  translated: TranslatedSegment | null
  /** It was made of another text or of another version. */
  isStale: boolean
}

const notFound: FoundTranslation = { translated: null, isStale: false }

/** Returns a function that finds the translation of a line by speaker, times and text. */
export function createTranslationLookup(
  translation: StoredTranslation | null,
  transcription: TranscriptionResult | null,
): (segment: Segment) => FoundTranslation {
  if (!translation) return () => notFound
  const byStart = Map.groupBy(translatedLines(translation), ({ start }) => start)
  const failures = new Map(
    translation.speaker_translations.map(({ speaker, error, segments }) => [
      speaker,
      segments.length === 0 ? error : null,
    ]),
  )
  const isOfOtherVersion =
    translation.transcription_id !== null && translation.transcription_id !== transcription?.transcription_id
  return (segment) => {
    const candidates = (byStart.get(segment.start) ?? []).filter((line) => isOfSegment(line, segment))
    const translated = candidates.toSorted((a, b) => similarity(b, segment) - similarity(a, segment))[0]
    if (translated) return { translated, isStale: isOfOtherVersion || translated.text !== segment.text }
    const error = segment.speaker === undefined ? null : (failures.get(segment.speaker) ?? null)
    return error === null ? notFound : { translated: toFailed(segment, error), isStale: false }
  }
}

/** A speaker may have been corrected since, a text edited, a line split or joined: something must be as it was. */
function isOfSegment(line: TranslatedLine, { speaker, text, end }: Segment): boolean {
  return line.speaker === null || line.speaker === speaker || line.text === text || line.end === end
}

function similarity(line: TranslatedLine, { speaker, text, end }: Segment): number {
  return Number(line.speaker === speaker) * 4 + Number(line.end === end) * 2 + Number(line.text === text)
}

function toFailed({ start, end, text }: Segment, error: string): TranslatedSegment {
  return { start, end, text, translated_text: '', error }
}
