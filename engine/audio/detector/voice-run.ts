import type { SpeechSpan } from '../speech-span.ts'

/** An uninterrupted passage that the network classifies as voice; pauses of a tenth of a second separate runs. */
export interface VoiceRun extends SpeechSpan {
  /** Whether the probability was high at least once, or the run is long. Music and noise may resemble a voice, but not clearly or long. */
  isCertain: boolean
}
