import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { ImportName, UploadFile } from '#contract/entities/model-operation.ts'
import { isObjectId, newId } from '#data/ids.ts'

const UploadManifest = z.object({ name: ImportName, files: z.array(UploadFile) })
export type UploadManifest = z.infer<typeof UploadManifest>

/**
 * Opens the folder of uploads in progress: `<root>/<id>` with a manifest, which is touched with every part, and the files received so far.
 */
export function openUploadStore(root: string) {
  const folderOf = (id: string) => join(root, id)
  const filesOf = (id: string) => join(folderOf(id), 'files')
  const manifestOf = (id: string) => join(folderOf(id), 'manifest.json')

  /** Throws `not_found`. */
  async function read(id: string): Promise<UploadManifest> {
    const text = await readFile(manifestOf(id), 'utf8').catch(() => undefined)
    if (text === undefined) throw new AppError('not_found', 'This upload is no longer there. Please begin it again.')
    return UploadManifest.parse(JSON.parse(text))
  }

  async function listIds(): Promise<string[]> {
    return (await readdir(root).catch(() => [])).filter(isObjectId)
  }

  async function remove(id: string): Promise<void> {
    await rm(folderOf(id), { recursive: true, force: true })
  }

  return {
    read,
    remove,
    filesOf,
    pathOf: (id: string, path: string) => join(filesOf(id), path),
    async create(manifest: UploadManifest): Promise<string> {
      const id = newId()
      for (const { path } of manifest.files) await mkdir(dirname(join(filesOf(id), path)), { recursive: true })
      await writeFile(manifestOf(id), JSON.stringify(manifest))
      return id
    },
    async touch(id: string): Promise<void> {
      const now = new Date()
      await utimes(manifestOf(id), now, now)
    },
    /** Returns how many bytes are still to be received for all uploads together. */
    async countMissingBytes(): Promise<number> {
      let missing = 0
      for (const id of await listIds()) {
        const { files } = await read(id).catch(() => ({ files: [] }))
        for (const { path, size_bytes } of files) missing += size_bytes - (await sizeOf(join(filesOf(id), path)))
      }
      return missing
    },
    /** Deletes uploads that have received nothing for `ageMs`. */
    async removeInactive(ageMs: number): Promise<void> {
      for (const id of await listIds()) {
        const info = await stat(manifestOf(id))
          .catch(() => stat(folderOf(id)))
          .catch(() => undefined)
        if (info && Date.now() - info.mtimeMs > ageMs) await remove(id)
      }
    },
  }
}

/** Returns 0 for a file that does not exist yet. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
