import type { Queue } from '#data/jobs/queue.ts'
import { sourceOf } from '#data/recordings/stored-translations.ts'
import { fetchTranscripts } from '#data/recordings/stored-transcripts.ts'
import { openPackedTranscripts, type PackedTranscripts } from '#data/recordings/transcript-source.ts'
import type { ResultSelection } from './present-results.ts'

/**
 * Fetches everything needed to present results, as stored: the results, the transcriptions they were made from, and the one whose speakers
 * people corrected last, because corrections are carried over from one transcription to another.
 */
export async function fetchResults(
  queue: Queue,
  ownerId: string,
  { recording, transcriptionId, translations, diarization }: ResultSelection,
): Promise<PackedTranscripts> {
  const shown = [...translations, ...(diarization ? [diarization] : [])].flatMap((job) => [job.id, sourceOf(job)])
  const ids = [transcriptionId, recording.speakerCorrections?.transcriptionId, ...shown]
  const packed = await fetchTranscripts(queue, ownerId, distinct(ids))
  if (!diarization || sourceOf(diarization) !== null) return packed
  // Only its result says which transcription's words it has.
  const dialogue = await openPackedTranscripts(packed).readResult(diarization.id, 'diarize')
  const source = dialogue?.transcription_id
  if (source === undefined || packed.results.has(source)) return packed
  const more = await fetchTranscripts(queue, ownerId, [source])
  return {
    results: new Map([...packed.results, ...more.results]),
    edits: new Map([...packed.edits, ...more.edits]),
  }
}

function distinct(ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))]
}
