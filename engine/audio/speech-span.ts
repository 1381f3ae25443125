/** A passage of speech with tight boundaries, in milliseconds of the recording. Lists of spans are ordered and never overlap. */
export interface SpeechSpan {
  startMs: number
  endMs: number
}
