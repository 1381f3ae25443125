/** A passage in which one voice speaks. Turns of different voices may overlap. Times are milliseconds of the recording. */
export interface SpeakerTurn {
  startMs: number
  endMs: number
  /** Numbered from 0 in order of first appearance. */
  voice: number
}

/** The voices of one channel. */
export interface SpeakerTurns {
  /** Ordered by start. */
  turns: SpeakerTurn[]
  voiceCount: number
  /** Measured bandwidth, which determines the method: up to 4 kHz is telephone. */
  band: 'telephone' | 'wide'
}
