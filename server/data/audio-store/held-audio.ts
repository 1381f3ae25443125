import { link, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudioFile } from './audio-store.ts'

export const heldFolder = '.held'

/** Audio files that stay readable while a backup reads them, also where their recordings are deleted meanwhile. */
export interface HeldAudio {
  /** Holds what was stored since. */
  refresh(): Promise<void>
  /** Returns the path of a file; null where it neither is nor was stored. Throws where the disk does not say. */
  find(file: AudioFile): Promise<string | null>
  /** Lets go: what was deleted meanwhile is gone. */
  release(): Promise<void>
}

/** How often what is held is marked as in use. The store removes it after a day without. */
const defaultTouchMs = 10 * 60_000

/**
 * Holds every file of a disk store by a second name for it (a hard link), which takes no space. Where the file system knows no hard
 * links nothing is held, and files are read under their own names. Only one process may hold at a time; what a killed one held
 * is let go.
 */
export async function holdAudio(root: string, { touchMs = defaultTouchMs } = {}): Promise<HeldAudio> {
  const folder = join(root, heldFolder)
  let canLink = true

  async function refresh(): Promise<void> {
    const shards = (await namesIn(root)).filter((name) => /^[0-9a-f]{2}$/.test(name))
    for (const shard of shards) {
      if (!canLink) return
      const held = new Set(await namesIn(join(folder, shard)))
      const names = (await readdir(join(root, shard))).filter((name) => !held.has(name))
      if (names.length === 0) continue
      await mkdir(join(folder, shard), { recursive: true, mode: 0o700 })
      for (const name of names) await hold(join(root, shard, name), join(folder, shard, name))
    }
  }

  async function hold(path: string, heldPath: string): Promise<void> {
    if (!canLink) return
    try {
      await link(path, heldPath)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT') return // deleted at this moment
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK' && code !== 'ENOSYS') throw error
      canLink = false
    }
  }

  const removeHeld = () => rm(folder, { recursive: true, force: true })
  await removeHeld()
  await refresh()
  const timer = setInterval(() => void touch(folder), touchMs)
  timer.unref()
  return {
    refresh,
    async find({ id, extension }) {
      for (const base of [folder, root]) {
        const path = join(base, id.slice(-2), `${id}.${extension}`)
        if (await isFile(path)) return path
      }
      return null
    },
    async release() {
      clearInterval(timer)
      await removeHeld()
    },
  }
}

/** Whether there is such a file. Throws where the disk does not say: an unreachable file is not a missing one. */
async function isFile(path: string): Promise<boolean> {
  const info = await unlessMissing(() => stat(path))
  return info?.isFile() === true
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessMissing(() => readdir(folder))) ?? []
}

async function unlessMissing<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined) // nothing is held, or reading it fails and says why
}
