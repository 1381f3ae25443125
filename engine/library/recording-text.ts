import type { Word } from '#contract/transcription.ts'

/** What can be read of a recording: what people see when they open it. */
export interface RecordingText {
  /** The current transcription; null before the first. */
  transcriptionId: string | null
  /** The current transcription as people edited it, in order of time; then each of its translations. */
  lines: TextLine[]
  /** Names that people gave to speakers of the transcription, each with the times of the speaker's first line. */
  speakers: { name: string; start: number; end: number }[]
  notes: { id: string; timeMs: number; text: string }[]
}

/** A line of the transcript or of a translation. Times are seconds from the start. */
export interface TextLine {
  start: number
  end: number
  /** The name that people gave the speaker, or else the label, such as "Speaker A"; null where the recording has one voice. */
  speaker: string | null
  /** Of `text`; null when unknown. */
  language: string | null
  text: string
  isTranslation: boolean
  /** Where each channel is a separate speaker. */
  channel?: number
  /** With their times, where the speech engine reported them. */
  words?: Word[]
}
