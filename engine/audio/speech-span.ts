/** A stretch of speech, tight around the voice, in milliseconds of the recording. Spans are in order and never overlap. */
export interface SpeechSpan {
  startMs: number
  endMs: number
}
