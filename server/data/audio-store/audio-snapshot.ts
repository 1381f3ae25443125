import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../if-exists.ts'
import type { AudioFile } from './audio-store.ts'
import { linkFile, type PinnedFile } from './pin-file.ts'

export const snapshotFolder = '.snapshot'

/** Audio that stays readable during a backup, even if its recording is deleted in the meantime. */
export interface AudioSnapshot {
  /** Adds files stored since. */
  refresh(): Promise<void>
  /** Returns the size in bytes without reading the file; null where the file is not and was not stored. */
  size(file: AudioFile): Promise<number | null>
  /** Returns a path to read; null where the file is not and was not stored. Throws where the disk cannot tell. */
  open(file: AudioFile): Promise<PinnedFile | null>
  /** Releases the snapshot: files deleted in the meantime disappear. */
  release(): Promise<void>
}

/** How often the links are marked as in use. The store removes links not marked for a day. */
const defaultTouchMs = 10 * 60_000

/**
 * Gives every file of a disk store a hard link, which takes no space. On a file system without hard links, files are read under their
 * existing names. One process at a time; links left by a killed process are removed first.
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
      for (const name of names) await addLink(join(root, shard, name), join(folder, shard, name))
    }
  }

  async function addLink(path: string, linkPath: string): Promise<void> {
    if (canLink) canLink = (await ifExists(() => linkFile(path, linkPath))) ?? true // deleted just now
  }

  const removeLinks = () => rm(folder, { recursive: true, force: true })
  await removeLinks()
  await refresh()
  const timer = setInterval(() => void touch(folder), touchMs)
  timer.unref()

  async function find({ id, extension }: AudioFile): Promise<{ path: string; sizeBytes: number } | null> {
    for (const base of [folder, root]) {
      const path = join(base, id.slice(-2), `${id}.${extension}`)
      const sizeBytes = await sizeOfFile(path)
      if (sizeBytes !== undefined) return { path, sizeBytes }
    }
    return null
  }

  return {
    refresh,
    size: async (file) => (await find(file))?.sizeBytes ?? null,
    async open(file) {
      const found = await find(file)
      return found && { path: found.path, release: async () => undefined }
    },
    async release() {
      clearInterval(timer)
      await removeLinks()
    },
  }
}

/** Joins the snapshots of two stores between which files may currently be moving. */
export function layerSnapshots(folder: AudioSnapshot, gridfs: AudioSnapshot): AudioSnapshot {
  return {
    refresh: async () => void (await Promise.all([folder.refresh(), gridfs.refresh()])),
    size: async (file) => (await folder.size(file)) ?? (await gridfs.size(file)) ?? folder.size(file),
    open: async (file) => (await folder.open(file)) ?? (await gridfs.open(file)) ?? folder.open(file),
    release: async () => void (await Promise.all([folder.release(), gridfs.release()])),
  }
}

/** Returns undefined where there is no such file. Throws where the disk cannot tell: an unreachable file is not a missing one. */
async function sizeOfFile(path: string): Promise<number | undefined> {
  const info = await ifExists(() => stat(path))
  return info?.isFile() ? info.size : undefined
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ifExists(() => readdir(folder))) ?? []
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined) // there are no links, or reading the file fails and says why
}
