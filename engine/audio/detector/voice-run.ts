import type { SpeechSpan } from '../speech-span.ts'

/** What the network hears without a break as voice; pauses of a tenth of a second separate runs. */
export interface VoiceRun extends SpeechSpan {
  /** The network was sure of it at least once. Music and noise may sound a little like a voice, but never for sure. */
  isCertain: boolean
}
