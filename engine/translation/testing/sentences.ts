import type { Segment, TranscriptionResult } from '#contract/transcription.ts'

/** A text on which the demo model repeats itself up to the token limit. */
export const loopingText = Array(40).fill('سلام').join(' ')

/** One sentence of the demo grammar in its five languages. */
export const angry = {
  en: 'my brother is angry today',
  ps: 'زما ورور نن غوسه دی',
  ur: 'میرا بھائی آج ناراض ہے',
  fa: 'برادر من امروز عصبانی است',
  ar: 'أخي غاضب اليوم',
}
/** Another. */
export const bomb = {
  en: 'there is a bomb at the bridge tonight',
  ps: 'نن شپه پر پل بم دی',
  ur: 'آج رات پل پر بم ہے',
  fa: 'امشب در پل بمب است',
  ar: 'توجد قنبلة عند الجسر الليلة',
}

/** Returns one-second segments with a second between them. */
export function segmentsOf(...texts: string[]): Segment[] {
  return texts.map((text, index) => ({ start: index * 2, end: index * 2 + 1, text }))
}

/** A recording of one voice, mostly in `language`; each line is a text and, if it differs, the language. */
export function callOf(language: string, ...lines: [text: string, language?: string][]): TranscriptionResult {
  const segments = lines.map(([text, own], index): Segment => ({
    start: index * 2,
    end: index * 2 + 1,
    text,
    ...(own !== undefined && { language: own }),
  }))
  const voice = { transcription: 'whatever was said', detected_language: language, language_probability: 0.9, segments }
  return {
    ...voice,
    transcription_id: null,
    num_speakers: 1,
    speaker_transcriptions: [{ ...voice, speaker: 'Speaker A', channel: 0, segment_count: segments.length }],
    duration: 10,
    model: 'demo-speech',
    warnings: [],
  }
}
