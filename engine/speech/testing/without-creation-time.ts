import type { TranscriptionResult } from '#contract/transcription.ts'

/** Returns a result without its creation time, so that two results can be compared. */
export function withoutCreationTime(result: TranscriptionResult): TranscriptionResult {
  return { ...result, provenance: result.provenance?.map((made) => ({ ...made, created_at: '' })) }
}
