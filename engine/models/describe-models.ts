import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { Model, ModelEvaluation, ModelUse } from '#contract/entities/model.ts'
import { t } from '#contract/texts/t.ts'
import type { Config } from '#data/config.ts'
import type { ModelList } from '#data/models/model-lists.ts'
import { evaluationsPath, readEvaluations, type Evaluation } from '#engine/models/evaluations.ts'
import { bundledModelsDir, loadCatalog, localCatalogPath, modelPath } from '#engine/models/catalog.ts'
import { choicesPath, readChoices, type ModelChoices } from '#engine/models/choices.ts'
import { contentHash } from '#engine/models/content-hash.ts'
import { describeForm } from '#engine/models/forms.ts'
import { measuredPath, readMeasurements, type ModelMeasurement } from '#engine/models/measurements.ts'
import { listModelFiles } from '#engine/models/model-files.ts'
import { isSherpaModel } from '#engine/models/model-entry.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import { findPullProblem } from '#engine/models/store/pull-model.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { describeModelWork, findHostSize, listMeasuredSizes } from '#engine/models/work-estimate.ts'

/** The license that an import stores when none was given. */
const unknownLicence = 'unknown'

interface ModelContext {
  config: Config
  choices: ModelChoices
  measurements: Record<string, ModelMeasurement>
  evaluations: Evaluation[]
  measuredSizes: Awaited<ReturnType<typeof listMeasuredSizes>>
  host: ReturnType<typeof findHostSize>
}

/** Returns the paths of everything that `describeModels` reads, including missing files: if none changes, neither does the description. */
export async function listDescribedPaths({ modelsDir }: Config): Promise<string[]> {
  const { models } = await loadCatalog(modelsDir)
  const ofModels = models.map(async (entry) => {
    const path = modelPath(entry, modelsDir)
    if (path === undefined) return []
    const files = await listModelFiles({ ...entry, path }).catch(() => [])
    return [path, ...files.map((file) => file.path)]
  })
  const catalogs = [join(bundledModelsDir, 'catalog.json'), localCatalogPath(modelsDir)]
  const written = [choicesPath(modelsDir), measuredPath(modelsDir), evaluationsPath(modelsDir)]
  return [...new Set([...catalogs, ...written, ...(await Promise.all(ofModels)).flat()])]
}

/**
 * Returns every model in the catalogs as a super admin sees it, and the problems of the catalogs. Reads changed files completely, one at a
 * time.
 */
export async function describeModels(config: Config): Promise<ModelList> {
  const { modelsDir } = config
  const none: ModelChoices = { speechByLanguage: {}, translationByPair: {} }
  const { models: entries, problems } = await loadCatalog(modelsDir)
  const measurements = await readMeasurements(modelsDir)
  const context: ModelContext = {
    config,
    choices: await readChoices(modelsDir).catch(() => none),
    measurements,
    evaluations: await readEvaluations(modelsDir),
    measuredSizes: await listMeasuredSizes(entries, measurements, modelsDir),
    host: findHostSize(),
  }
  const models: Model[] = []
  for (const entry of entries) models.push(await describeModel(entry, context))
  return { models, problems: problems.map(({ message }) => message) }
}

async function describeModel(entry: ModelEntry, context: ModelContext): Promise<Model> {
  const state = await inspect(entry, context.config.modelsDir)
  const measurement = context.measurements[entry.id]
  const pullProblem = findPullProblem(entry, context.config)
  return {
    id: entry.id,
    name: entry.name,
    kind: entry.kind,
    engine: engineOf(entry),
    languages: entry.languages,
    is_demo: entry.isDemo,
    ...state,
    uses: listUses(entry, context),
    approximate_size: entry.approximateSize,
    memory_bytes: entry.memoryBytes ?? measurement?.peakMemoryBytes ?? null,
    licence: entry.licence === unknownLicence ? null : entry.licence,
    url: entry.url,
    note: entry.note ?? null,
    form: state.is_installed ? await findForm(entry, context.config.modelsDir) : null,
    work: describeModelWork(entry, context),
    errors: entry.errors.map(({ language, metric, percent, corpus }) => ({ language, metric, percent, corpus })),
    evaluations: context.evaluations
      .filter(({ model, modelHash }) => model === entry.id && (modelHash === null || modelHash === state.content_hash))
      .flatMap(toEvaluations),
    trial: measurement
      ? {
          engine: measurement.engine,
          tried_at: measurement.measuredAt,
          real_time_factor: measurement.realTimeFactor,
          peak_memory_bytes: measurement.peakMemoryBytes,
        }
      : null,
    pull_problem: pullProblem ? t('It cannot be downloaded: {1}.', { 1: pullProblem }) : null,
  }
}

async function findForm(entry: ModelEntry, modelsDir: string): Promise<string | null> {
  const path = modelPath(entry, modelsDir)
  return entry.kind === 'speech' && path !== undefined ? describeForm({ ...entry, path }, modelsDir) : null
}

type ModelState = Pick<Model, 'is_installed' | 'problem' | 'content_hash' | 'size_bytes'>

/** Returns whether a model is installed, and any problem with its files. */
async function inspect(entry: ModelEntry, modelsDir: string): Promise<ModelState> {
  const absent = { is_installed: false, problem: null, content_hash: null, size_bytes: entry.sizeBytes }
  const path = modelPath(entry, modelsDir)
  if (path === undefined || !(await exists(path))) return absent
  const model = { ...entry, path }
  try {
    await verifyModel(model, { modelsDir })
    const files = await listModelFiles(model)
    const sizes = await Promise.all(files.map(async (file) => (await stat(file.path)).size))
    return {
      is_installed: true,
      problem: null,
      content_hash: await contentHash(model, { modelsDir }),
      size_bytes: sizes.reduce((sum, size) => sum + size, 0),
    }
  } catch (error) {
    return { ...absent, is_installed: true, problem: toProblem(error) }
  }
}

function toProblem(error: unknown): NonNullable<Model['problem']> {
  if (error instanceof AppError) return { message: error.message, help: error.help ?? null }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return { message: `Its files cannot be read${code}.`, help: 'Let the user that Awaz runs as read them.' }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function engineOf(entry: ModelEntry): string {
  if (entry.kind === 'translation') return 'llama.cpp'
  if (!isSherpaModel(entry)) return 'whisper.cpp'
  return entry.sherpa.family === 'whisper' ? 'onnxruntime' : 'sherpa-onnx'
}

/** The environment takes precedence, then what a person chose, then the demo models: see active-models.ts. */
function listUses({ id, kind, isDemo }: ModelEntry, { config, choices }: ModelContext): ModelUse[] {
  const isSpeech = kind === 'speech'
  if (isSpeech && config.speechServers) return []
  const fixed = isSpeech ? config.speechModel : config.translationModel
  const chosen = isSpeech ? choices.speech : choices.translation
  const uses: ModelUse[] = []
  if (fixed === id) uses.push({ scope: 'default', code: null, chosen_by: 'environment' })
  else if (fixed === undefined && chosen === id) uses.push({ scope: 'default', code: null, chosen_by: 'person' })
  else if (fixed === undefined && chosen === undefined && isDemo) {
    uses.push({ scope: 'default', code: null, chosen_by: 'nobody' })
  }
  const fixedByCode = isSpeech ? config.speechModelByLanguage : {}
  const chosenByCode = isSpeech ? choices.speechByLanguage : choices.translationByPair
  const scope = isSpeech ? 'language' : 'pair'
  for (const [code, model] of Object.entries(fixedByCode)) {
    if (model === id) uses.push({ scope, code, chosen_by: 'environment' })
  }
  for (const [code, model] of Object.entries(chosenByCode)) {
    if (model === id && !Object.hasOwn(fixedByCode, code)) uses.push({ scope, code, chosen_by: 'person' })
  }
  return uses
}

function toEvaluations({ sample, evaluatedAt, figures }: Evaluation): ModelEvaluation[] {
  return figures.map((figure) => {
    const metric = figure.kind === 'speech' ? ('wer' as const) : ('chrf' as const)
    const { value, low, high } = figure.kind === 'speech' ? figure.wer : figure.chrf
    return { sample, language: figure.language, metric, value, low, high, measured_at: evaluatedAt }
  })
}
