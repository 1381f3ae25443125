import type { Word } from '#contract/transcription.ts'

/** The text of a recording: what people see when they open it. */
export interface RecordingText {
  /** The current transcription; null before the first one. */
  transcriptionId: string | null
  /** The current transcription with people's edits, in order of time; then each of its translations. */
  lines: TextLine[]
  /** Names that people gave to speakers of the transcription, each with the times of the speaker's first line. */
  speakers: { name: string; start: number; end: number }[]
  notes: { id: string; timeMs: number; text: string }[]
}

/** A line of the transcript or of a translation. Times are seconds from the start. */
export interface TextLine {
  start: number
  end: number
  /** The name that people gave the speaker, or else the label, such as "Speaker A"; null if the recording has only one voice. */
  speaker: string | null
  /** The language of `text`; null if unknown. */
  language: string | null
  text: string
  isTranslation: boolean
  /** Set if each channel is a separate speaker. */
  channel?: number
  /** The words with their times, if the speech engine reported them. */
  words?: Word[]
}
