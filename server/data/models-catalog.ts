import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { transcriptionLanguages } from '#contract/languages.ts'
import type { Config } from './config.ts'
import { remoteModelId } from './remote-servers.ts'

/** What the server reads of models/catalog.json; the engine reads the rest. */
const CatalogModel = z.object({
  id: z.string(),
  kind: z.enum(['speech', 'translation']),
  name: z.string(),
  /** The folder of its files where it has several. */
  file: z.string().nullable(),
  languages: z.array(z.string()),
  isDemo: z.boolean().default(false),
})
export type CatalogModel = z.infer<typeof CatalogModel>

const bundledModelsDir = join(dirname(dirname(import.meta.dirname)), 'models')

export interface ActiveModels {
  speech: CatalogModel | undefined
  /** Other speech models of single languages, by language code. */
  speechByLanguage: Record<string, CatalogModel>
  translation: CatalogModel | undefined
}

type ModelSettings = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
  Partial<Pick<Config, 'speechServers' | 'translationServers'>>

/**
 * The models in use: those the environment names, else those that an operator chose, else the demo models. A model whose file is not
 * there is not in use, and a catalogue that cannot be read has no models: the server runs without. Models that servers run need no file.
 */
export async function readActiveModels(config: ModelSettings): Promise<ActiveModels> {
  const choices = await readChoices(config.modelsDir)
  const installed = await readInstalled(config.modelsDir)
  const translation = config.translationServers
    ? toRemoteModel(config.translationServers.model, { kind: 'translation', ...config.translationServers })
    : choose(installed, 'translation', config.translationModel ?? choices.translation)
  if (config.speechServers) {
    const { model, modelByLanguage } = config.speechServers
    const use = { kind: 'speech' as const, languages: [...transcriptionLanguages] }
    const byLanguage = Object.entries(modelByLanguage).map(([code, name]) => [code, toRemoteModel(name, use)] as const)
    return { speech: toRemoteModel(model, use), speechByLanguage: Object.fromEntries(byLanguage), translation }
  }
  const speechByLanguage: Record<string, CatalogModel> = {}
  const ids = { ...choices.speechByLanguage, ...config.speechModelByLanguage }
  for (const [language, id] of Object.entries(ids)) {
    const model = choose(installed, 'speech', id)
    if (model) speechByLanguage[language] = model
  }
  return {
    speech: choose(installed, 'speech', config.speechModel ?? choices.speech),
    speechByLanguage,
    translation,
  }
}

function toRemoteModel(name: string, { kind, languages }: Pick<CatalogModel, 'kind' | 'languages'>): CatalogModel {
  return { id: remoteModelId(name), kind, name, file: null, languages, isDemo: false }
}

function choose(models: CatalogModel[], kind: CatalogModel['kind'], id: string | undefined): CatalogModel | undefined {
  return models.find((model) => model.kind === kind && (id === undefined ? model.isDemo : model.id === id))
}

async function readInstalled(modelsDir: string): Promise<CatalogModel[]> {
  const bundled = await readCatalog(join(bundledModelsDir, 'catalog.json'))
  const local = await readCatalog(join(modelsDir, 'catalog.local.json'))
  const byId = new Map([...bundled, ...local].map((model) => [model.id, model]))
  const all = [...byId.values()]
  const areThere = await Promise.all(all.map((model) => isThere(model, modelsDir)))
  return all.filter((_, index) => areThere[index])
}

/** What the server reads of choices.json, which the engine writes and reads as a whole; nothing where it cannot be read. */
const Choices = z.object({
  speech: z.string().optional(),
  speechByLanguage: z.record(z.string(), z.string()).default({}),
  translation: z.string().optional(),
})

async function readChoices(modelsDir: string): Promise<z.infer<typeof Choices>> {
  try {
    return Choices.parse(JSON.parse(await readFile(join(modelsDir, 'choices.json'), 'utf8')))
  } catch {
    return { speechByLanguage: {} }
  }
}

async function readCatalog(path: string): Promise<CatalogModel[]> {
  try {
    const parsed = z.object({ models: z.array(CatalogModel) }).safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data.models : []
  } catch {
    return []
  }
}

async function isThere({ file, isDemo }: CatalogModel, modelsDir: string): Promise<boolean> {
  if (!file) return false
  const facts = await stat(join(isDemo ? bundledModelsDir : modelsDir, file)).catch(() => undefined)
  return facts !== undefined && (facts.isFile() || facts.isDirectory())
}
