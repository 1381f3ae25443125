import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A file's state when it was hashed: if any of it differs, the file is hashed again. */
const HashedFile = z.object({
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  changedMs: z.number(),
  inode: z.number(),
  sha256: z.string(),
  sha1: z.string(),
})
export type HashedFile = z.infer<typeof HashedFile>

const Registry = z.object({ files: z.record(z.string(), HashedFile) })

/** Returns a path in the models folder, so that all engines on the host share the file. */
function registryPath(modelsDir: string): string {
  return join(modelsDir, 'registry.json')
}

/** Returns the known hashes by path; empty if the file is missing or damaged, because hashes can be recomputed. */
export async function readRegistry(modelsDir: string): Promise<Record<string, HashedFile>> {
  try {
    return Registry.parse(JSON.parse(await readFile(registryPath(modelsDir), 'utf8'))).files
  } catch {
    return {}
  }
}

/** Saves a hash. Ignores a folder that cannot be written: the hash is then computed once per process. */
export async function saveHash(modelsDir: string, path: string, hashed: HashedFile): Promise<void> {
  const files = { ...(await readRegistry(modelsDir)), [path]: hashed }
  // Several engines may write at once: each writes its own file, and the last rename wins.
  const temporary = `${registryPath(modelsDir)}.${randomUUID()}.partial`
  try {
    await writeFile(temporary, `${JSON.stringify({ files }, null, 2)}\n`)
    await rename(temporary, registryPath(modelsDir))
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}
