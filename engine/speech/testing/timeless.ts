import type { TranscriptionResult } from '#contract/transcription.ts'

/** A result without the time when it was finished, so that two can be compared. */
export function timeless({ provenance, ...result }: TranscriptionResult): object {
  return { ...result, provenance: provenance?.map(({ created_at: _, ...made }) => made) }
}
