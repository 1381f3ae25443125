import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createParentFolder } from '../../disk.ts'
import { withLock } from '../lock-file.ts'

const unpackFolderName = /^(\.unpacked-.+\.partial)(?:\.lock)?$/

/**
 * Calls `use` with the path of a folder below `modelsDir` into which to unpack an archive, and deletes it afterwards. First deletes the
 * folders that killed processes left behind.
 */
export async function withUnpackFolder<Value>(
  modelsDir: string,
  use: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = join(modelsDir, `.unpacked-${randomUUID()}.partial`)
  await createParentFolder(folder)
  await removeLeftovers(modelsDir)
  return withLock(folder, async () => {
    try {
      return await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function removeLeftovers(modelsDir: string): Promise<void> {
  const names = (await readdir(modelsDir)).flatMap((name) => unpackFolderName.exec(name)?.[1] ?? [])
  for (const name of new Set(names)) {
    const folder = join(modelsDir, name)
    // The lock is refused while another process uses the folder; a folder that belongs to another user cannot be deleted.
    await withLock(folder, () => rm(folder, { recursive: true, force: true })).catch(() => undefined)
  }
}
