import type { JobKind } from '#contract/entities/job.ts'
import { applyLineEdits, noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { unpackResult, type JobResult } from '../jobs/packed-result.ts'
import { unpackEdits } from '../line-edits/packed-edits.ts'

/** Reads the results of one owner's jobs and people's edits to them, from the database or from fetched data. */
export interface TranscriptSource {
  /** Returns the result of a finished job, or null. */
  readResult<Kind extends JobKind>(jobId: string, kind: Kind): Promise<JobResult<Kind> | null>
  /** Returns what people edited in a transcription; `noLineEdits` where nothing was edited. */
  readLineEdits(transcriptionId: string): Promise<LineEdits>
}

/** Returns a source that reads everything once and remembers it. */
export function rememberTranscripts(source: TranscriptSource): TranscriptSource {
  const results = new Map<string, Promise<unknown>>()
  const edits = new Map<string, Promise<LineEdits>>()
  return {
    readResult<Kind extends JobKind>(jobId: string, kind: Kind) {
      const key = `${kind} ${jobId}`
      const reading = results.get(key) ?? source.readResult(jobId, kind)
      results.set(key, reading)
      return reading as Promise<JobResult<Kind> | null> // stored under the kind it was read as
    },
    readLineEdits(transcriptionId) {
      const reading = edits.get(transcriptionId) ?? source.readLineEdits(transcriptionId)
      edits.set(transcriptionId, reading)
      return reading
    },
  }
}

/** Results and edits in their stored form, by the ids of their jobs. Can be sent to a thread. */
export interface PackedTranscripts {
  results: Map<string, { kind: JobKind; data: Uint8Array }>
  edits: Map<string, { revision: number; data: Uint8Array }>
}

/** Opens fetched transcripts. */
export function openPackedTranscripts({ results, edits }: PackedTranscripts): TranscriptSource {
  return {
    async readResult(jobId, kind) {
      const packed = results.get(jobId)
      return packed?.kind === kind ? unpackResult(kind, packed.data) : null
    },
    async readLineEdits(transcriptionId) {
      const packed = edits.get(transcriptionId)
      return packed ? { revision: packed.revision, edits: await unpackEdits(packed.data) } : noLineEdits
    },
  }
}

/** Returns a transcription as people edited it, or null. */
export async function readEdited(
  source: TranscriptSource,
  transcriptionId: string,
): Promise<TranscriptionResult | null> {
  const [written, edits] = await Promise.all([
    source.readResult(transcriptionId, 'transcribe'),
    source.readLineEdits(transcriptionId),
  ])
  return written && applyLineEdits(written, edits)
}
