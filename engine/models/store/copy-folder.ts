import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyFile } from './copy-file.ts'
import { assertFreeSpace, createParentFolder, withDiskErrors } from '../disk.ts'
import { withLock } from './lock-file.ts'
import type { StoreOptions } from './store-options.ts'

interface CopyOptions extends StoreOptions {
  /** Checks the copy before it becomes visible. */
  check: (partial: string) => Promise<void>
}

/** Copies files, given by their paths below `from`, to the new folder `to`, which appears when it is complete and checked. */
export async function copyFolder(from: string, to: string, names: string[], options: CopyOptions): Promise<void> {
  const { signal, onProgress, check } = options
  await createParentFolder(to)
  const partial = `${to}.partial`
  await withLock(partial, async () => {
    try {
      await rm(partial, { recursive: true, force: true })
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(from, name))).size))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      await assertFreeSpace(dirname(to), total)
      let done = 0
      for (const name of names) {
        const path = join(partial, name)
        await withDiskErrors(path, () => mkdir(dirname(path), { recursive: true }))
        const onBytes = (bytes: number) => onProgress?.({ stage: 'copy', done: (done += bytes), total })
        await copyFile(join(from, name), path, { signal, onBytes })
      }
      onProgress?.({ stage: 'check', done: 0, total })
      await check(partial)
      await withDiskErrors(to, () => rename(partial, to))
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  })
}
