import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EJSON } from 'bson'
import type { JobKind } from '#contract/entities/job.ts'
import { nextChange } from '#data/change-counter.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { jobModel, type JobDocument } from '#data/jobs/job-model.ts'
import { packJson, toBytes, unpackJson } from '#data/jobs/packed-json.ts'
import { insertEntries, toEntry } from '#data/library/entries.ts'
import { recordingModel, type RecordingDocument } from '#data/recordings/recording-model.ts'
import { toRecordingRecord } from '#data/recordings/recording-record.ts'
import { waveformModel, type WaveformDocument } from '#data/recordings/waveforms.ts'

interface CopyTarget {
  /** Data folder of the stack that the database belongs to; the copy gets its own file there. */
  dataDir: string
  ownerId: string
  /** Whether translations of the original are copied as well. */
  isTranslated: boolean
}

/** Copies a recording with its audio and finished jobs to another owner, as if just uploaded. Returns the id of the copy. */
export async function copyCall(
  connection: DatabaseConnection,
  recordingId: string,
  { dataDir, ownerId, isTranslated }: CopyTarget,
): Promise<string> {
  const kinds: JobKind[] = isTranslated ? ['transcribe', 'translate'] : ['transcribe']
  const of = { recordingId: toObjectId(recordingId), state: 'done', kind: { $in: kinds } } as const
  const original = {
    recording: await recordingModel(connection).findById(recordingId).lean<RecordingDocument>(),
    waveform: await waveformModel(connection).findById(recordingId).lean<WaveformDocument>(),
    jobs: await jobModel(connection).find(of).sort({ _id: 1 }).lean<JobDocument[]>(),
  }
  if (!original.recording) throw new Error(`There is no recording ${recordingId}`)
  const copyId = newId()
  const newIds = new Map([
    [original.recording.ownerId.toHexString(), ownerId],
    [recordingId, copyId],
    ...original.jobs.map(({ _id }) => [_id.toHexString(), newId()] as const),
  ])
  // Ids also occur in work keys, parameters and results.
  const rename = (text: string) => text.replaceAll(/[\da-f]{24}/g, (id) => newIds.get(id) ?? id)
  const copy = EJSON.parse(rename(EJSON.stringify(original, { relaxed: false }))) as typeof original // the type that was read
  await linkAudio(dataDir, original.recording, copyId)
  const now = await readDatabaseTime(connection)
  const recording = { ...(copy.recording ?? original.recording), createdAt: now, change: await nextChange(connection) }
  await recordingModel(connection).insertMany([recording], { lean: true })
  await insertEntries(connection, [toEntry(toRecordingRecord(recording))])
  if (copy.waveform) await waveformModel(connection).insertMany([copy.waveform], { lean: true })
  for (const job of copy.jobs) {
    const result: unknown = job.result && (await unpackJson(toBytes(job.result)))
    await jobModel(connection).create({
      ...job,
      result: result ? await packJson(JSON.parse(rename(JSON.stringify(result)))) : null,
      createdAt: now,
      startedAt: now,
      finishedAt: now,
      change: await nextChange(connection),
    })
  }
  return copyId
}

/** Gives the copy its own file in the store of disk-store.ts: a hard link, since the bytes are never changed. */
async function linkAudio(dataDir: string, { _id, extension }: RecordingDocument, copyId: string): Promise<void> {
  const pathOf = (id: string) => join(dataDir, 'audio', id.slice(-2), `${id}.${extension}`)
  await mkdir(dirname(pathOf(copyId)), { recursive: true, mode: 0o700 })
  await link(pathOf(_id.toHexString()), pathOf(copyId))
}
