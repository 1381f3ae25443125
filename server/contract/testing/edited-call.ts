import type { LineEdit, LineEdits } from '../line-edits.ts'
import type { Segment, TranscriptionResult, Word } from '../transcription.ts'

export const a = 'Speaker A'
export const b = 'Speaker B'

/** Returns a line whose words last half a second each. */
export function line(start: number, text: string, rest: Partial<Segment> = {}): Segment {
  const words = text.split(' ').map((word, index): Word => {
    return { text: word, start: start + index / 2, end: start + index / 2 + 0.4, confidence: 0.5 }
  })
  return { start, end: start + words.length / 2, text, speaker: a, channel: 0, confidence: 0.5, words, ...rest }
}

export function withoutWords(segment: Segment): Segment {
  const { words: _, confidence: __, ...rest } = segment
  return rest
}

export function call(segments: Segment[]): TranscriptionResult {
  return {
    transcription_id: null,
    transcription: segments.map(({ text }) => text).join('\n'),
    detected_language: 'ps',
    language_probability: null,
    num_speakers: 2,
    segments,
    speaker_transcriptions: [a, b].map((speaker, channel) => {
      const own = segments.filter((segment) => segment.speaker === speaker)
      return {
        speaker,
        channel,
        transcription: own.map(({ text }) => text).join(' '),
        segment_count: own.length,
        detected_language: channel === 0 ? 'ps' : 'en',
        language_probability: null,
        segments: own,
      }
    }),
    duration: 60,
    model: 'test',
    warnings: [],
  }
}

export function edited(...edits: Omit<LineEdit, 'revision'>[]): LineEdits {
  return { revision: 1, edits: edits.map((edit) => ({ ...edit, revision: 1 })) }
}
