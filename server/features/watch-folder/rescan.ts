import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

interface RescanOptions {
  folder: string
  /** Folders below `folder` that are looked at. */
  maxDepth: number
  isIgnored: (path: string) => boolean
}

/**
 * Returns a function that returns the files which have not changed since its last call: a file system may lose notices of changes, above all
 * on a busy machine, and such a file would wait for ever.
 */
export function createRescan({ folder, maxDepth, isIgnored }: RescanOptions): () => Promise<string[]> {
  let before = new Map<string, string>()

  return async () => {
    const now = new Map<string, string>()
    for (const path of await listFiles(folder, maxDepth)) {
      const stats = await lstat(path).catch(() => undefined)
      if (stats) now.set(path, `${stats.size} ${stats.mtimeMs} ${stats.ino}`)
    }
    const unchanged = [...now].filter(([path, state]) => before.get(path) === state).map(([path]) => path)
    before = now
    return unchanged
  }

  async function listFiles(path: string, depth: number): Promise<string[]> {
    const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => [])
    const found = entries.map(async (entry) => {
      const entryPath = join(path, entry.name)
      if (isIgnored(entryPath)) return []
      if (entry.isDirectory()) return depth > 0 ? listFiles(entryPath, depth - 1) : []
      return entry.isFile() ? [entryPath] : []
    })
    return (await Promise.all(found)).flat()
  }
}
