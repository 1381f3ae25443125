import { rm, stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { chooseModelIds } from '../active-models.ts'
import { findEntry, modelPath, readCatalog } from '../catalog.ts'
import { removeMeasurement } from '../measurements.ts'
import type { ModelEntry } from '../model-entry.ts'
import { withDiskErrors } from '../disk.ts'
import { discardDownload } from './download.ts'
import { removeLocalEntry } from './local-catalog.ts'
import type { StoreConfig } from './store-options.ts'

/** `isFileKept` is true if another entry has the same file. */
export interface RemovedModel {
  model: ModelEntry
  isFileKept: boolean
}

/**
 * Deletes the files of a model, its measurements and, if it is in the operator's catalog, its entry.
 *
 * @throws AppError `conflict` with its uses, if the model is in use
 */
export async function removeModel(id: string, config: StoreConfig): Promise<RemovedModel> {
  const { modelsDir } = config
  const model = await findEntry(id, modelsDir)
  if (model.isDemo) {
    throw new AppError('conflict', `The model ${model.name} comes with Awaz and cannot be removed.`)
  }
  const uses = await findUses(model, config)
  if (uses.length > 0) {
    throw new AppError('conflict', `The model ${model.name} cannot be removed: it serves ${uses.join(', ')}.`, {
      help: `Choose another model for that first: ${awazCommand} models use ID. What the environment names is changed there.`,
    })
  }
  const path = modelPath(model, modelsDir)
  const isFileKept = path !== undefined && (await isShared(model, path, modelsDir))
  if (path !== undefined && !isFileKept) await removeFiles(path)
  await removeLocalEntry(modelsDir, id)
  await withDiskErrors(modelsDir, () => removeMeasurement(modelsDir, id))
  return { model, isFileKept }
}

async function findUses({ id, kind }: ModelEntry, config: StoreConfig): Promise<string[]> {
  const chosen = await chooseModelIds(config)
  const isSpeech = kind === 'speech'
  const general = isSpeech ? 'all languages without a model of their own' : 'all pairs without a model of their own'
  const codes = Object.entries(isSpeech ? chosen.speechByLanguage : chosen.translationByPair)
  return [
    ...(chosen[kind] === id ? [general] : []),
    ...codes.filter(([, chosenId]) => chosenId === id).map(([code]) => describeUse(code)),
  ]
}

/** `Persian`, or `Pashto to English`. */
function describeUse(code: string): string {
  return code
    .split('-')
    .map((language) => describeLanguage(language).name)
    .join(' to ')
}

async function isShared({ id }: ModelEntry, path: string, modelsDir: string): Promise<boolean> {
  const others = (await readCatalog(modelsDir)).filter((entry) => entry.id !== id)
  return others.some((entry) => modelPath(entry, modelsDir) === path)
}

async function removeFiles(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere) await withDiskErrors(path, () => rm(path, { recursive: true }))
  await discardDownload(`${path}.partial`)
}
