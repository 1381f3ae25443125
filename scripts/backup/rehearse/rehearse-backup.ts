import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from 'mongodb'
import { connectClient } from '#data/connect.ts'
import { hashFile } from '#data/hash-file.ts'
import { isObjectId, toObjectId } from '#data/ids.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { drawSample } from '../draw-sample.ts'
import type { BackupManifest } from '../format/manifest.ts'
import type { ArchiveOptions } from '../read/read-archive.ts'
import { restoreBackup } from '../restore/restore-backup.ts'
import { readRecordingAudio, type RecordingAudio } from '../source/stored-recording.ts'
import type { RehearsalCheck } from './rehearsal-check.ts'
import { type ScratchInstance, startScratchInstance } from './scratch-instance.ts'
import { transcribeSample } from './transcribe-sample.ts'

interface RestoredTranscript {
  ownerId: string
  recordingId: string
}

/** What a rehearsal reads from a restored database. */
interface RestoredData {
  counts: Map<string, number>
  audio: RecordingAudio[]
  /** A finished transcription of a recording that its owner can still open; undefined if there is none. */
  transcript: RestoredTranscript | undefined
}

const StoredJob = z.object({ ownerId: z.unknown().transform(String), recordingId: z.unknown().transform(String) })
const maxCandidates = 50

/** Reads a restored database before a server starts on it and changes it. The audio of damaged recordings cannot be compared. */
async function readRestoredData(uri: string, { damagedDocuments }: BackupManifest): Promise<RestoredData> {
  const damaged = damagedDocuments.filter(({ collection, id }) => collection === 'recordings' && isObjectId(id))
  const filter = { _id: { $nin: damaged.map(({ id }) => toObjectId(id)) } }
  const client = await connectClient(uri)
  try {
    const db = client.db('awaz')
    const infos = await db.listCollections({}, { nameOnly: true }).toArray()
    const counts = new Map<string, number>()
    for (const { name } of infos) counts.set(name, await db.collection(name).countDocuments())
    const audio: RecordingAudio[] = []
    for await (const document of db.collection('recordings').find<Uint8Array>(filter, { raw: true })) {
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

export interface RehearsalOptions extends ArchiveOptions {
  /** Folder for the restored instance; needs as much space as a restore. Default: the folder for temporary files. */
  scratchDir?: string
  onStage: (stage: string) => void
  onProgress: (done: number, total: number) => void
}

const sampleSize = 20
const SignedIn = z.object({ access_token: z.string() })
const Details = z.object({ transcription: z.object({ segments: z.array(z.unknown()) }).nullish() })

/**
 * Restores a backup into a scratch folder, starts that instance on a private socket, and compares it with the manifest. Removes
 * everything it made, even where a check fails.
 *
 * @throws AppError as restoreBackup does
 */
export async function rehearseBackup(options: RehearsalOptions): Promise<RehearsalCheck[]> {
  const scratch = await mkdtemp(join(options.scratchDir ?? tmpdir(), 'awaz-rehearsal-'))
  const dataDir = join(scratch, 'data')
  try {
    const { manifest } = await restoreBackup({ ...options, dataDir, modelsDir: join(scratch, 'models') })
    options.onStage('Comparing')
    const data = await readData(dataDir, manifest)
    const checks = [...compareCounts(manifest, data), await compareAudio(dataDir, { manifest, data })]
    options.signal?.throwIfAborted()
    options.onStage('Starting the restored instance')
    const instance = await startScratchInstance(dataDir)
    try {
      const { token, check } = await trySignIn(instance)
      checks.push(check, await openTranscript(instance, data.transcript))
      options.signal?.throwIfAborted()
      options.onStage('Transcribing the sample call')
      if (token !== undefined) checks.push(await transcribeSample(instance, { token, signal: options.signal }))
      return checks
    } finally {
      await instance.stop()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function readData(dataDir: string, manifest: BackupManifest): Promise<RestoredData> {
  const runtimeDir = await makeRuntimeFolder()
  const engine = await startEmbeddedDatabase({
    dataFile: join(dataDir, 'db', 'awaz.sqlite'),
    socketPath: join(runtimeDir, 'db.sock'),
    // Documents that have expired since the backup are counted too.
    sweepIntervalMs: 2 ** 31 - 1,
  })
  try {
    return await readRestoredData(engine.uri, manifest)
  } finally {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
}

function compareCounts({ database, damagedDocuments }: BackupManifest, { counts }: RestoredData): RehearsalCheck[] {
  return database.collections.map(({ name, documents }) => {
    const found = counts.get(name) ?? 0
    const damaged = damagedDocuments.filter(({ collection }) => collection === name).length
    return {
      code: 'documents' as const,
      name: `documents in ${name}${damaged === 0 ? '' : ` (${damaged} damaged when backed up)`}`,
      expected: String(documents),
      found: String(found),
      isPassed: found === documents,
    }
  })
}

/** Compares files with the hashes in their recordings, which were written by the upload, not by the backup. */
async function compareAudio(
  dataDir: string,
  { manifest, data }: { manifest: BackupManifest; data: RestoredData },
): Promise<RehearsalCheck> {
  const faulty = new Set([...manifest.missingAudio, ...manifest.damagedAudio])
  const sample = drawSample(
    data.audio.filter(({ id }) => !faulty.has(id)),
    sampleSize,
  )
  let equal = 0
  for (const { id, extension, sha256 } of sample) {
    const path = join(dataDir, 'audio', id.slice(-2), `${id}.${extension}`)
    if ((await hashFile(path).catch(() => undefined))?.sha256 === sha256) equal += 1
  }
  const expected = `${sample.length} as uploaded`
  const lost = faulty.size === 0 ? '' : ` (${faulty.size} missing or damaged when backed up)`
  return {
    code: 'audio',
    name: `audio files, at random${lost}`,
    expected,
    found: `${equal} as uploaded`,
    isPassed: equal === sample.length,
  }
}

async function trySignIn(instance: ScratchInstance): Promise<{ token: string | undefined; check: RehearsalCheck }> {
  const { email, password } = await instance.createUser()
  const { status, body } = await instance.call('POST', '/api/auth/signin', { body: { email, password } })
  const token = status === 200 ? SignedIn.safeParse(body).data?.access_token : undefined
  const isPassed = token !== undefined
  const found = isPassed ? 'works' : `status ${status}`
  return { token, check: { code: 'sign_in', name: 'sign-in of a new account', expected: 'works', found, isPassed } }
}

async function openTranscript(
  instance: ScratchInstance,
  transcript: RestoredTranscript | undefined,
): Promise<RehearsalCheck> {
  const [code, name] = ['transcript' as const, 'a transcript by the API']
  if (!transcript) return { code, name, expected: 'none in the backup', found: 'none', isPassed: true }
  const token = await instance.startSession(transcript.ownerId)
  const { status, body } = await instance.call('GET', `/api/recordings/${transcript.recordingId}`, { token })
  const segments = Details.safeParse(body).data?.transcription?.segments
  const isPassed = status === 200 && segments !== undefined
  return {
    code,
    name,
    expected: 'opens',
    found: isPassed ? `opens (${segments.length} lines)` : `status ${status}`,
    isPassed,
  }
}
