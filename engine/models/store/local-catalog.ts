import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { localCatalogPath } from '../catalog.ts'
import type { ModelEntry } from '../model-entry.ts'
import { withDiskErrors } from '../disk.ts'
import { withLock } from './lock-file.ts'

/** Parsed loosely and written back in full, so that other entries stay as the operator wrote them. */
const LocalCatalog = z.looseObject({ models: z.array(z.unknown()) })

/** Adds an entry to the operator's catalog, or replaces the one with the same id. */
export async function saveLocalEntry(modelsDir: string, entry: ModelEntry): Promise<void> {
  await change(modelsDir, (models) => [...models.filter((model) => idOf(model) !== entry.id), entry])
}

/** Removes the entry with this id from the operator's catalog. */
export async function removeLocalEntry(modelsDir: string, id: string): Promise<void> {
  await change(modelsDir, (models) => models.filter((model) => idOf(model) !== id))
}

async function change(modelsDir: string, edit: (models: unknown[]) => unknown[]): Promise<void> {
  const path = localCatalogPath(modelsDir)
  await withLock(path, async () => {
    const catalog = await read(path)
    const models = edit(catalog.models)
    if (models.length === 0 && catalog.models.length === 0) return
    const temporary = `${path}.${randomUUID()}.partial`
    try {
      await withDiskErrors(path, () => writeFile(temporary, `${JSON.stringify({ ...catalog, models }, null, 2)}\n`))
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      throw error
    }
  })
}

async function read(path: string): Promise<z.infer<typeof LocalCatalog>> {
  try {
    return LocalCatalog.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { models: [] }
    throw new AppError('model_unavailable', `${path} cannot be read, and would be lost if it was written.`, {
      help: 'Correct that file, or move it away.',
      cause: error,
    })
  }
}

function idOf(model: unknown): string | undefined {
  return z.object({ id: z.string() }).safeParse(model).data?.id
}
