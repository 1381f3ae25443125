import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { Catalog } from './model-entry.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from './model-entry.ts'

/** The models folder of this installation, which holds the catalogue and the demo models. */
export const bundledModelsDir = join(dirname(dirname(import.meta.dirname)), 'models')

/** sherpa-onnx leaves out what lies behind 29.5 s. */
const maxSherpaWindowMs = 29_000

/**
 * Every known model: models/catalog.json, and over it `modelsDir`/catalog.local.json, whose entries add to or replace (by id)
 * those of the first. Throws `model_unavailable` with a sentence when the operator's file cannot be read as one.
 */
export async function readCatalog(modelsDir: string = bundledModelsDir): Promise<ModelEntry[]> {
  const bundled = await readCatalogFile(join(bundledModelsDir, 'catalog.json'))
  const local = await readCatalogFile(join(modelsDir, 'catalog.local.json'))
  const byId = new Map([...(bundled ?? []), ...(local ?? [])].map((entry) => [entry.id, entry]))
  return [...byId.values()]
}

async function readCatalogFile(path: string): Promise<ModelEntry[] | undefined> {
  try {
    return Catalog.parse(JSON.parse(await readFile(path, 'utf8'))).models
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new AppError('model_unavailable', `The model catalogue ${path} is not valid.`, {
      details: [reason],
      cause: error,
    })
  }
}

/** Where an entry's file belongs: demo models in this installation, all others in `modelsDir`; undefined when it has no file. */
export function modelPath(entry: ModelEntry, modelsDir: string = bundledModelsDir): string | undefined {
  if (entry.file === null) return undefined
  return join(entry.isDemo ? bundledModelsDir : modelsDir, entry.file)
}

/**
 * The speech model of that id. Throws `model_unavailable` for an id that no catalogue knows, another kind, or weights that must
 * be converted first. Whether the file is there and whole is verifyModel's to say.
 */
export async function findSpeechModel(id: string, modelsDir?: string): Promise<SpeechModel> {
  const entry = await findEntry(id, modelsDir)
  if (entry.kind !== 'speech') throw wrongKind(entry, 'speech')
  const maxWindowMs = entry.sherpa ? Math.min(entry.maxWindowMs, maxSherpaWindowMs) : entry.maxWindowMs
  return { ...entry, maxWindowMs, path: requirePath(entry, modelsDir) }
}

/** The translation model of that id; fails as findSpeechModel does. */
export async function findTranslationModel(id: string, modelsDir?: string): Promise<TranslationModel> {
  const entry = await findEntry(id, modelsDir)
  if (entry.kind === 'translation') return { ...entry, path: requirePath(entry, modelsDir) }
  throw wrongKind(entry, 'translation')
}

async function findEntry(id: string, modelsDir: string | undefined): Promise<ModelEntry> {
  const entry = (await readCatalog(modelsDir)).find((candidate) => candidate.id === id)
  if (entry) return entry
  throw new AppError('model_unavailable', `There is no model "${id}" in the catalogue.`, {
    help: 'npm run awaz -- models list shows the models that are known.',
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
