import { chown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { audioFolder } from '#data/audio-store/open-audio-store.ts'
import type { Config } from '#data/config.ts'
import { ifExists } from '#data/if-exists.ts'

/** Gives a file, and the folder that it is in, to the user that keeps recordings. */
export type ChownAudio = (path: string) => Promise<void>

/**
 * Returns what gives files to the owner of DATA_DIR/audio where root runs this: the server could not read them otherwise. For any other user, whose
 * files they are already, it does nothing. Call it before anything is written there.
 */
export async function createChownAudio(config: Pick<Config, 'dataDir'>): Promise<ChownAudio> {
  const { uid, gid } = (await ifExists(() => stat(audioFolder(config)))) ?? (await stat(config.dataDir))
  if (process.getuid?.() !== 0 || uid === 0) return async () => undefined
  return async (path) => {
    await chown(path, uid, gid)
    await chown(dirname(path), uid, gid)
  }
}
