import { stat } from 'node:fs/promises'
import { loadCatalog, findSpeechModel, modelPath } from './catalog.ts'
import { readFileLanguages } from './file-languages.ts'
import type { SpeechModel } from './model-entry.ts'
import { listModelFiles } from './model-files.ts'

/**
 * Returns the speech models whose files are in place and well-formed, with the languages that the files support. Hashes are checked only
 * before a model is used, because that reads gigabytes.
 */
export async function listInstalledSpeechModels(modelsDir: string): Promise<SpeechModel[]> {
  const found: SpeechModel[] = []
  for (const path of await listSpeechPaths(modelsDir)) {
    const model = path.isThere ? await readModel(path.id, modelsDir) : undefined
    if (model) found.push(model)
  }
  return found
}

/** Returns where the speech models of the catalogs are, or would be. */
export async function listSpeechPaths(modelsDir: string): Promise<{ id: string; path: string; isThere: boolean }[]> {
  const { models } = await loadCatalog(modelsDir)
  const paths = models.flatMap((entry) => {
    const path = entry.kind === 'speech' ? modelPath(entry, modelsDir) : undefined
    return path === undefined ? [] : { id: entry.id, path }
  })
  return Promise.all(paths.map(async (each) => ({ ...each, isThere: await exists(each.path) })))
}

/** Returns undefined for a broken model: a model in use is reported by its check, and no other is missed. */
async function readModel(id: string, modelsDir: string): Promise<SpeechModel | undefined> {
  try {
    const model = await findSpeechModel(id, modelsDir)
    for (const file of await listModelFiles(model)) {
      const { size } = await stat(file.path)
      const hasOtherSize = file.sizeBytes !== null && file.sizeBytes !== size
      if (hasOtherSize || (await file.findProblem()) !== undefined) return undefined
    }
    return { ...model, languages: await readFileLanguages(model) }
  } catch {
    return undefined
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
