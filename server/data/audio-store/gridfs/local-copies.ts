import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../../if-exists.ts'
import type { AudioFile } from '../audio-store.ts'
import { pinFile, removeFilesOlder } from '../pin-file.ts'

/** Age at which files left by killed processes are deleted. */
const maxLeftoverAgeMs = 24 * 3600 * 1000

/** Copies of audio on this host's disk, for programs that need a file. Several processes share them. */
export interface LocalCopies {
  /** Creates missing folders. Returns the folder for new files. */
  makeFolders(): Promise<string>
  /** Returns a path for a new file. */
  partPath(): string
  /** Takes over a complete file as a copy. */
  adopt(path: string, file: AudioFile): Promise<void>
  /** Returns a path that stays valid until `release`, whatever is deleted meanwhile; `fetch` writes the file if there is no copy. */
  open(file: AudioFile, fetch: (path: string) => Promise<void>): Promise<{ path: string; release: () => Promise<void> }>
  remove(file: AudioFile): Promise<void>
  /** Lists all copies. */
  list(): Promise<AudioFile[]>
  /** Deletes files left by killed processes. */
  removeLeftovers(): Promise<void>
}

/** Opens the copies in a folder. Beyond `maxBytes`, the least recently used copies are deleted. */
export function openLocalCopies(root: string, maxBytes: number): LocalCopies {
  const [partsDir, filesDir, openDir] = [join(root, 'parts'), join(root, 'files'), join(root, 'open')]
  const pathOf = ({ id, extension }: AudioFile) => join(filesDir, `${id}.${extension}`)
  const makeFolders = async () => {
    for (const folder of [partsDir, filesDir, openDir]) await mkdir(folder, { recursive: true, mode: 0o700 })
    return partsDir
  }

  const partPath = () => join(partsDir, `${randomUUID()}.part`)

  /** Gives a copy a second name, which survives deletion of the first. */
  const pin = (path: string, { extension }: AudioFile) => pinFile(path, { folder: openDir, extension })

  async function prune(): Promise<void> {
    let total = 0
    for (const { path, sizeBytes } of (await filesIn(filesDir)).toSorted((a, b) => b.usedMs - a.usedMs)) {
      total += sizeBytes
      if (total > maxBytes) await rm(path, { force: true })
    }
  }

  return {
    makeFolders,
    partPath,
    async adopt(path, file) {
      await makeFolders()
      await rename(path, pathOf(file))
      await prune()
    },
    async open(file, fetch) {
      await makeFolders()
      const copy = pathOf(file)
      const held = await ifExists(() => pin(copy, file))
      if (held) {
        const now = new Date()
        await ifExists(() => utimes(copy, now, now))
        return held
      }
      const part = partPath()
      try {
        await fetch(part)
        const fetched = await pin(part, file)
        await rename(part, copy)
        await prune()
        return fetched.path === part ? { ...fetched, path: copy } : fetched // without hard links
      } finally {
        await rm(part, { force: true })
      }
    },
    remove: (file) => rm(pathOf(file), { force: true }),
    async list() {
      const names = (await ifExists(() => readdir(filesDir))) ?? []
      return names.flatMap((name) => {
        const [, id, extension] = /^([0-9a-f]{24})\.([a-z0-9]+)$/.exec(name) ?? []
        return id && extension ? { id, extension } : []
      })
    },
    async removeLeftovers() {
      const before = new Date(Date.now() - maxLeftoverAgeMs)
      for (const folder of [partsDir, openDir]) await removeFilesOlder(folder, before)
    },
  }
}

/** `usedMs` is when a file was last written or marked as used. */
async function filesIn(folder: string): Promise<{ path: string; sizeBytes: number; usedMs: number }[]> {
  const found: { path: string; sizeBytes: number; usedMs: number }[] = []
  for (const name of (await ifExists(() => readdir(folder))) ?? []) {
    const path = join(folder, name)
    const info = await ifExists(() => stat(path)) // deleted in the meantime
    if (info) found.push({ path, sizeBytes: info.size, usedMs: info.mtimeMs })
  }
  return found
}
