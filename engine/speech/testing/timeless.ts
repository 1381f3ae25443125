import type { TranscriptionResult } from '#contract/transcription.ts'

/** A result without the time when it was finished, so that two can be compared. */
export function timeless(result: TranscriptionResult): TranscriptionResult {
  return { ...result, provenance: result.provenance?.map((made) => ({ ...made, created_at: '' })) }
}
