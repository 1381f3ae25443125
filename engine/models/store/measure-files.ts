import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../content-hash.ts'
import type { ModelFile } from '../model-entry.ts'

/** Returns the files of a model by role, with their sizes and hashes. */
export async function measureFiles(
  roles: Record<string, Pick<ModelFile, 'name'>>,
  folder: string,
  options: { modelsDir?: string; signal?: AbortSignal },
): Promise<Record<string, ModelFile>> {
  const measured: Record<string, ModelFile> = {}
  for (const [role, { name }] of Object.entries(roles)) {
    const path = join(folder, name)
    const { sha256 } = await hashFile(path, options)
    measured[role] = { name, sizeBytes: (await stat(path)).size, sha256 }
  }
  return measured
}
