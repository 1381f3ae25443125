/** A line of the table that a rehearsal prints. */
export interface RehearsalCheck {
  /** Stable: programs depend on it. */
  code: 'documents' | 'audio' | 'sign_in' | 'transcript' | 'transcription'
  name: string
  expected: string
  found: string
  isPassed: boolean
}
