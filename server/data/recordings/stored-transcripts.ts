import { toObjectId } from '../ids.ts'
import { jobModel } from '../jobs/job-model.ts'
import { toBytes } from '../jobs/packed-json.ts'
import type { Queue } from '../jobs/queue.ts'
import { readResult } from '../jobs/results.ts'
import { lineEditsModel, findLineEdits } from '../line-edits/line-edits.ts'
import { findRecording } from './recordings.ts'
import { createChangesReader, noChanges, type TranscriptionChanges } from './transcription-changes.ts'
import type { PackedTranscripts, TranscriptSource } from './transcript-source.ts'

/** Opens the stored transcripts of an owner. */
export function openTranscripts(queue: Queue, ownerId: string): TranscriptSource {
  return {
    readResult: (jobId, kind) => readResult(queue, ownerId, jobId, kind),
    readLineEdits: (transcriptionId) => findLineEdits(queue.connection, ownerId, transcriptionId),
  }
}

/** Fetches the results of finished jobs of an owner, and the edits of transcriptions among them, without unpacking them. */
export async function fetchTranscripts(
  { connection }: Queue,
  owner: string,
  jobIds: readonly string[],
): Promise<PackedTranscripts> {
  const ownerId = toObjectId(owner)
  const ids = jobIds.map(toObjectId)
  const [jobs, edits] = await Promise.all([
    jobModel(connection)
      .find({ _id: { $in: ids }, ownerId, state: 'done' }, { kind: 1, result: 1 })
      .limit(jobIds.length)
      .lean(),
    lineEditsModel(connection)
      .find({ transcriptionId: { $in: ids }, ownerId })
      .limit(jobIds.length)
      .lean(),
  ])
  return {
    results: new Map(
      jobs.flatMap(({ _id, kind, result }) =>
        result ? [[_id.toHexString(), { kind, data: new Uint8Array(toBytes(result)) }] as const] : [],
      ),
    ),
    edits: new Map(
      edits.map(({ transcriptionId, revision, data }) => {
        return [transcriptionId.toHexString(), { revision, data: new Uint8Array(toBytes(data)) }] as const
      }),
    ),
  }
}

/** Returns what people changed in a transcription of an owner's recording; nothing where the recording was deleted. */
export async function findChanges(
  queue: Queue,
  { ownerId, recordingId }: { ownerId: string; recordingId: string | null },
  transcriptionId: string,
): Promise<TranscriptionChanges> {
  const recording = recordingId && (await findRecording(queue.connection, ownerId, recordingId))
  return recording ? createChangesReader(openTranscripts(queue, ownerId), recording)(transcriptionId) : noChanges
}
