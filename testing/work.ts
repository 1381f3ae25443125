import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'

/** Returns a finished transcription of two speakers; options override any part. */
export function makeTranscription(overrides: Partial<TranscriptionResult> = {}): TranscriptionResult {
  const left = { start: 0.5, end: 1.5, text: 'سلام زما ملګریه', speaker: 'Speaker A', channel: 0 }
  const right = { start: 2, end: 3, text: 'hello my brother', speaker: 'Speaker B', channel: 1 }
  return {
    transcription_id: null,
    transcription: `${left.text}\n${right.text}`,
    detected_language: 'ps',
    language_probability: 0.9,
    num_speakers: 2,
    segments: [left, right],
    speaker_transcriptions: [left, right].map((segment, channel) => ({
      speaker: segment.speaker,
      channel,
      transcription: segment.text,
      segment_count: 1,
      detected_language: channel === 0 ? 'ps' : 'en',
      language_probability: 0.9,
      segments: [segment],
    })),
    duration: 31.46,
    model: 'test',
    warnings: [],
    ...overrides,
  }
}

/** Returns a finished translation of one segment into English; options override any part. */
export function makeTranslation(overrides: Partial<TranslationResult> = {}): TranslationResult {
  return {
    translated_text: 'hello my friend',
    original_text: 'سلام زما ملګریه',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [],
    segments: [{ start: 0.5, end: 1.5, text: 'سلام زما ملګریه', translated_text: 'hello my friend', error: null }],
    model: 'test',
    ...overrides,
  }
}
