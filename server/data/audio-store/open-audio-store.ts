import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { DatabaseConnection } from '../connect.ts'
import { layerSnapshots, snapshotAudio, type AudioSnapshot } from './audio-snapshot.ts'
import type { AudioStore } from './audio-store.ts'
import { openDiskStore } from './disk-store.ts'
import { snapshotGridFs } from './gridfs/gridfs-snapshot.ts'
import { openGridFsStore, type GridFsOptions } from './gridfs/gridfs-store.ts'
import { layerAudioStores } from './layered-store.ts'

const copiesName = 'audio-copies'

export type AudioStoreConfig = Pick<Config, 'dataDir' | 'audioStore' | 'audioCopyBytes'>

/** Opens both stores: `current`, named by AUDIO_STORE, keeps new audio. */
export async function openAudioStores(
  config: AudioStoreConfig,
  connection: DatabaseConnection,
): Promise<{ current: AudioStore; other: AudioStore }> {
  const folder = await openDiskStore(audioFolder(config))
  const gridfs = await openGridFsStore(gridFsOptions(config, connection))
  return config.audioStore === 'gridfs' ? { current: gridfs, other: folder } : { current: folder, other: gridfs }
}

/** Opens the store of recordings. Audio still in the store that AUDIO_STORE does not name is found too. */
export async function openAudioStore(config: AudioStoreConfig, connection: DatabaseConnection): Promise<AudioStore> {
  const { current, other } = await openAudioStores(config, connection)
  return layerAudioStores(current, other)
}

/** Holds the audio of both stores for a backup (audio-snapshot.ts). */
export async function snapshotAudioStores(
  config: Pick<AudioStoreConfig, 'dataDir' | 'audioCopyBytes'>,
  connection: DatabaseConnection,
): Promise<AudioSnapshot> {
  const folder = audioFolder(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return layerSnapshots(await snapshotAudio(folder), await snapshotGridFs(gridFsOptions(config, connection)))
}

/** Returns the folder that uploads are written to on this host. */
export function partsFolder({ dataDir, audioStore }: Pick<Config, 'dataDir' | 'audioStore'>): string {
  return join(dataDir, audioStore === 'gridfs' ? copiesName : 'audio', 'parts')
}

/** Returns the folder of the store `folder`. */
export function audioFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'audio')
}

function gridFsOptions(
  { dataDir, audioCopyBytes }: Pick<AudioStoreConfig, 'dataDir' | 'audioCopyBytes'>,
  connection: DatabaseConnection,
): GridFsOptions {
  return { connection, copiesDir: join(dataDir, copiesName), maxCopyBytes: audioCopyBytes }
}
