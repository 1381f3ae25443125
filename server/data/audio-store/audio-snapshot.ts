import { link, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../if-exists.ts'
import type { AudioFile } from './audio-store.ts'

export const snapshotFolder = '.snapshot'

/** Hard links to audio files, which stay readable while a backup reads them, even where their recordings are deleted in the meantime. */
export interface AudioSnapshot {
  /** Links what was stored since. */
  refresh(): Promise<void>
  /** Returns the path of a file; null where it neither is nor was stored. Throws where the disk does not say. */
  find(file: AudioFile): Promise<string | null>
  /** Removes the links: what was deleted in the meantime is gone. */
  release(): Promise<void>
}

/** How often the links are marked as in use. The store removes them after a day without. */
const defaultTouchMs = 10 * 60_000

/**
 * Links every file of a disk store under a second name (a hard link), which takes no space. On a file system without hard links files are read
 * under their own names. One process at a time; the links of a killed one are removed first.
 */
export async function snapshotAudio(root: string, { touchMs = defaultTouchMs } = {}): Promise<AudioSnapshot> {
  const folder = join(root, snapshotFolder)
  let canLink = true

  async function refresh(): Promise<void> {
    const shards = (await namesIn(root)).filter((name) => /^[0-9a-f]{2}$/.test(name))
    for (const shard of shards) {
      if (!canLink) return
      const linked = new Set(await namesIn(join(folder, shard)))
      const names = (await readdir(join(root, shard))).filter((name) => !linked.has(name))
      if (names.length === 0) continue
      await mkdir(join(folder, shard), { recursive: true, mode: 0o700 })
      for (const name of names) await linkFile(join(root, shard, name), join(folder, shard, name))
    }
  }

  async function linkFile(path: string, linkPath: string): Promise<void> {
    if (!canLink) return
    try {
      await link(path, linkPath)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT') return // deleted at this moment
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK' && code !== 'ENOSYS') throw error
      canLink = false
    }
  }

  const removeLinks = () => rm(folder, { recursive: true, force: true })
  await removeLinks()
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
      await removeLinks()
    },
  }
}

/** Whether there is such a file. Throws where the disk does not say: an unreachable file is not a missing one. */
async function isFile(path: string): Promise<boolean> {
  const info = await ifExists(() => stat(path))
  return info?.isFile() === true
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ifExists(() => readdir(folder))) ?? []
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined) // there are no links, or reading it fails and says why
}
