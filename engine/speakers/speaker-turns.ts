/** A stretch in which one voice speaks. Turns of different voices may overlap. Times are milliseconds of the recording. */
export interface SpeakerTurn {
  startMs: number
  endMs: number
  /** 0 for the voice that speaks first, 1 for the next new one, and so on. */
  voice: number
}

/** The voices of one channel. */
export interface SpeakerTurns {
  /** In order of their starts. */
  turns: SpeakerTurn[]
  voiceCount: number
  /** What was measured in the sound and decided which networks worked: up to 4 kHz is telephone. */
  band: 'telephone' | 'wide'
}
