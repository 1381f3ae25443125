import { MongoClient, type Db } from 'mongodb'
import { z } from 'zod'
import { readRecordingAudio, type RecordingAudio } from '../source/stored-recording.ts'

export interface RestoredTranscript {
  ownerId: string
  recordingId: string
}

/** What a rehearsal reads of a restored database. */
export interface RestoredData {
  counts: Map<string, number>
  audio: RecordingAudio[]
  /** A finished transcription of a recording that its owner can still open; undefined if there is none. */
  transcript: RestoredTranscript | undefined
}

const StoredJob = z.object({ ownerId: z.unknown().transform(String), recordingId: z.unknown().transform(String) })
const maxCandidates = 50

/** Reads a restored database before a server starts on it and changes it. */
export async function readRestoredData(uri: string, dbName: string): Promise<RestoredData> {
  const client = await new MongoClient(uri).connect()
  try {
    const db = client.db(dbName)
    const infos = await db.listCollections({}, { nameOnly: true }).toArray()
    const counts = new Map<string, number>()
    for (const { name } of infos) counts.set(name, await db.collection(name).countDocuments())
    const audio: RecordingAudio[] = []
    for await (const document of db.collection('recordings').find<Uint8Array>({}, { raw: true })) {
      const recording = readRecordingAudio(document)
      if (recording) audio.push(recording)
    }
    return { counts, audio, transcript: await findTranscript(db) }
  } finally {
    await client.close()
  }
}

async function findTranscript(db: Db): Promise<RestoredTranscript | undefined> {
  const filter = { kind: 'transcribe', state: 'done', recordingId: { $ne: null } }
  const jobs = await db
    .collection('jobs')
    .find(filter, { projection: { ownerId: 1, recordingId: 1 } })
    .limit(maxCandidates)
    .toArray()
  for (const job of jobs) {
    const hasRecording = await db.collection('recordings').findOne({ _id: job.recordingId, deletedAt: null })
    const hasOwner = await db.collection('users').findOne({ _id: job.ownerId, isActive: true })
    if (hasRecording && hasOwner) return StoredJob.parse(job)
  }
  return undefined
}
