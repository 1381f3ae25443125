import { rm, chown, stat } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { insertRecordingEvents } from '#data/audit/recording-events.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { layerAudioStores } from '#data/audio-store/layered-store.ts'
import { audioFolder, openAudioStores, partsFolder } from '#data/audio-store/open-audio-store.ts'
import { findAudioStoreProblem } from '#data/audio-store/store-mark.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { hashStoredAudio } from '#data/health/hash-stored-audio.ts'
import { findStoredAudio, listStoredAudio, type StoredAudio } from '#data/health/stored-audio.ts'
import { withLock } from '#engine/models/store/lock-file.ts'
import { ifExists } from '#data/if-exists.ts'
import type { BackupFile } from '../format/manifest.ts'
import type { ArchiveOptions } from '../read/read-archive.ts'
import { openBackupAudio, type BackupAudio } from './backup-audio.ts'

export interface RestoreAudioOptions extends ArchiveOptions {
  config: Pick<Config, 'dataDir' | 'audioStore' | 'audioCopyBytes'>
  connection: DatabaseConnection
  /** Recording ids, or `damaged` for every recording whose audio is missing or differs from the upload. */
  recordings: readonly string[] | 'damaged'
  signal: AbortSignal
  onStage: (stage: string) => void
  onProgress: (done: number, total: number) => void
  /** Called for each recording, as soon as it is known. */
  onResult: (result: RestoreAudioResult) => void
}

export interface RestoreAudioResult {
  id: string
  /** `whole`: it already matched the upload and was not touched. `refused`: nothing was changed. */
  outcome: 'restored' | 'whole' | 'refused'
  /** Why it was refused, as a clause about the recording. */
  reason?: string
}

type Recording = NonNullable<Awaited<ReturnType<typeof findStoredAudio>>>

interface AudioRestore extends RestoreAudioOptions {
  current: AudioStore
  other: AudioStore
  /** Both stores. */
  store: AudioStore
  backup: BackupAudio
  setAudioOwner: ChownAudio
}

/** Gives a file, and the folder that it is in, to the user that keeps recordings. */
type ChownAudio = (path: string) => Promise<void>

/**
 * Restores the audio of recordings from a backup. Awaz may be running. Writes only files whose SHA-256 equals that of the upload, and gives
 * a file its final name only once it is complete and on disk.
 *
 * @throws AppError where the archive cannot be opened or is damaged, or DATA_DIR/audio is not the folder in which the server keeps
 * recordings
 */
export async function restoreAudio(options: RestoreAudioOptions): Promise<void> {
  const { config, connection, onStage } = options
  const problem = await findAudioStoreProblem(connection, audioFolder(config))
  if (problem !== null) throw new AppError('conflict', problem)
  const work = async () => {
    onStage('Verifying the archive')
    const backup = await openBackupAudio(options)
    const setAudioOwner = await createChownAudio(config)
    const { current, other } = await openAudioStores(config, connection)
    const store = layerAudioStores(current, other)
    await restoreAll({ ...options, current, other, store, backup, setAudioOwner })
  }
  await withLock(join(config.dataDir, 'restore-sound'), work, { subject: 'restoring sound' })
}

async function restoreAll(context: AudioRestore): Promise<void> {
  const { backup, onStage, onProgress, onResult, signal } = context
  const wanted = context.recordings === 'damaged' ? await listDamaged(context) : [...new Set(context.recordings)]
  const sound = new Map<BackupFile, Recording>()
  onStage('Verifying sound (recordings)')
  for (const [index, id] of wanted.entries()) {
    signal.throwIfAborted()
    const chosen = await choose(context, id)
    if ('file' in chosen) sound.set(chosen.file, chosen.recording)
    else onResult({ id, ...chosen })
    onProgress(index + 1, wanted.length)
  }
  onStage('Restoring sound (recordings)')
  let done = 0
  await backup.read([...sound.keys()], async (file, content) => {
    const recording = sound.get(file)
    if (recording) onResult({ id: recording.id, ...(await write(context, recording, content)) })
    onProgress(++done, sound.size)
  })
}

async function listDamaged({ connection, store, signal, onStage, onProgress }: AudioRestore): Promise<string[]> {
  onStage('Comparing sound with what was uploaded (recordings)')
  const all: StoredAudio[] = []
  for await (const audio of listStoredAudio(connection)) all.push(audio)
  const damaged: string[] = []
  for (const [index, audio] of all.entries()) {
    signal.throwIfAborted()
    if (!(await isAsUploaded(store, audio))) damaged.push(audio.id)
    onProgress(index + 1, all.length)
  }
  return damaged
}

async function isAsUploaded(store: AudioStore, audio: StoredAudio): Promise<boolean> {
  if ((await store.size(audio)) !== audio.sizeBytes) return false
  if (audio.sizeBytes === 0) return true
  try {
    return (await hashStoredAudio(store, audio)) === audio.sha256
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return false // sectors that cannot be read
    throw error
  }
}

type Refusal = Omit<RestoreAudioResult, 'id'>

/** Returns what to write for a recording, or why nothing is written. */
async function choose(
  { connection, store, backup }: AudioRestore,
  id: string,
): Promise<Refusal | { recording: Recording; file: BackupFile }> {
  const recording = await findStoredAudio(connection, id)
  if (!recording) return refuse('it is unknown here, or was deleted')
  if (await isAsUploaded(store, recording)) return { outcome: 'whole' }
  const file = backup.find(recording.id)
  if (!file) return refuse('the backup does not have its sound; try another one')
  if (file.sha256 !== recording.sha256 || file.sizeBytes !== recording.sizeBytes)
    return refuse('its sound in the backup is not what was uploaded; try an older one')
  const problem = await backup.findProblem(file)
  if (problem !== undefined) return refuse(`its sound in the backup ${problem}; try a copy of the backup folder`)
  return { recording, file }
}

/** Writes the sound in place of what is there. */
async function write(
  { config, connection, current, other, store, backup, setAudioOwner, signal }: AudioRestore,
  recording: Recording,
  content: Readable,
): Promise<Refusal> {
  const { id, extension, sizeBytes, sha256 } = recording
  // The upload has long finished: a part file here can only be left over from a killed restore.
  await rm(join(partsFolder(config), `${id}.part`), { force: true })
  const received = await current.receive(content, { id, extension, maxBytes: sizeBytes, signal })
  if (received.sha256 !== sha256) {
    await rm(received.path, { force: true }) // discarding would delete what is there, too
    return refuse('its sound in the backup changed while it was read')
  }
  await setAudioOwner(received.path)
  await received.keep()
  if (config.audioStore === 'folder') await setAudioOwner(join(audioFolder(config), id.slice(-2), `${id}.${extension}`))
  // A damaged file in the other store would replace this one at the next move.
  if ((await other.size(recording)) !== null) await other.remove(recording)
  if (!(await findStoredAudio(connection, id))) {
    await store.remove(recording)
    return refuse('it was deleted meanwhile')
  }
  const details = `backup of ${backup.manifest.createdAt}`
  const event = { action: 'recording.restore_sound', by: { name: 'command line' }, details }
  await insertRecordingEvents(connection, [recording], event)
  return { outcome: 'restored' }
}

function refuse(reason: string): Refusal {
  return { outcome: 'refused', reason }
}

/**
 * Returns a function that changes the owner of files to that of DATA_DIR/audio when run as root, so that the server can read them. For any
 * other user it does nothing. Call it before anything is written there.
 */
async function createChownAudio(config: Pick<Config, 'dataDir'>): Promise<ChownAudio> {
  const { uid, gid } = (await ifExists(() => stat(audioFolder(config)))) ?? (await stat(config.dataDir))
  if (process.getuid?.() !== 0 || uid === 0) return async () => undefined
  return async (path) => {
    await chown(path, uid, gid)
    await chown(dirname(path), uid, gid)
  }
}
