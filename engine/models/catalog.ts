import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from './model-entry.ts'
import { readCatalogFile } from './read-catalog-file.ts'
import type { CatalogProblem } from './read-catalog-file.ts'

/** The models folder of this installation, with the catalogue and the demo models. */
export const bundledModelsDir = join(dirname(dirname(import.meta.dirname)), 'models')

/** All known models, and the problems of the catalogues. */
interface CatalogReport {
  models: ModelEntry[]
  problems: CatalogProblem[]
}

/** Returns the path of the operator's own catalogue. */
export function localCatalogPath(modelsDir: string): string {
  return join(modelsDir, 'catalog.local.json')
}

/**
 * Returns every known model: models/catalog.json, and over it `modelsDir`/catalog.local.json, whose entries add to or replace (by id)
 * those of the first. Invalid entries are left out and listed in `problems`.
 */
export async function loadCatalog(modelsDir: string = bundledModelsDir): Promise<CatalogReport> {
  const bundled = await readCatalogFile(join(bundledModelsDir, 'catalog.json'))
  const local = await readCatalogFile(localCatalogPath(modelsDir))
  const byId = new Map([...bundled.models, ...local.models].map((entry) => [entry.id, entry]))
  return { models: [...byId.values()], problems: [...bundled.problems, ...local.problems] }
}

/** Returns only the models of loadCatalog. */
export async function readCatalog(modelsDir?: string): Promise<ModelEntry[]> {
  return (await loadCatalog(modelsDir)).models
}

/** Returns the path of an entry's file: of demo models in this installation, of all others in `modelsDir`; undefined without a file. */
export function modelPath(entry: ModelEntry, modelsDir: string = bundledModelsDir): string | undefined {
  if (entry.file === null) return undefined
  return join(entry.isDemo ? bundledModelsDir : modelsDir, entry.file)
}

/**
 * Returns the speech model with an id; verifyModel checks its file.
 *
 * @throws AppError `model_unavailable` for an unknown id, another kind, or weights that must be converted first
 */
export async function findSpeechModel(id: string, modelsDir?: string): Promise<SpeechModel> {
  const entry = await findEntry(id, modelsDir)
  if (entry.kind !== 'speech') throw wrongKind(entry, 'speech')
  return { ...entry, path: requirePath(entry, modelsDir) }
}

/** Returns the translation model with an id; throws as findSpeechModel does. */
export async function findTranslationModel(id: string, modelsDir?: string): Promise<TranslationModel> {
  const entry = await findEntry(id, modelsDir)
  if (entry.kind === 'translation') return { ...entry, path: requirePath(entry, modelsDir) }
  throw wrongKind(entry, 'translation')
}

/**
 * Returns the entry with an id.
 *
 * @throws AppError `model_unavailable` if there is none, naming the file and the key where its entry is not valid
 */
export async function findEntry(id: string, modelsDir?: string): Promise<ModelEntry> {
  const { models, problems } = await loadCatalog(modelsDir)
  const entry = models.find((candidate) => candidate.id === id)
  if (entry) return entry
  const problem = problems.find((candidate) => candidate.isFatal && (candidate.id === id || candidate.id === undefined))
  if (problem) {
    throw new AppError('model_unavailable', `The model "${id}" cannot be used. ${problem.message}`, {
      help: `Correct that file, or import the model again: ${awazCommand} models import.`,
    })
  }
  throw new AppError('model_unavailable', `There is no model "${id}" in the catalogue.`, {
    help: `${awazCommand} models list shows the models that are known.`,
  })
}

function requirePath(entry: ModelEntry, modelsDir: string | undefined): string {
  const path = modelPath(entry, modelsDir)
  if (path) return path
  throw new AppError('model_unavailable', `The model ${entry.name} must be converted before it can be used.`, {
    help: entry.note,
  })
}

function wrongKind(entry: ModelEntry, wanted: string): AppError {
  return new AppError('model_unavailable', `${entry.name} is a ${entry.kind} model, not a ${wanted} model.`)
}
