import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AppError } from '#contract/app-error.ts'
import { bundledModelsDir, localCatalogPath } from '#engine/models/catalog.ts'
import { choicesPath } from '#engine/models/choices.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { listModelFiles } from '#engine/models/model-files.ts'
import { checkModels } from './check-models.ts'
import type { CheckedModels, ModelConfig } from './check-models.ts'
import { listChecked, toEngineModels } from './engine-models.ts'
import type { EngineModels } from './engine-models.ts'

export interface ModelWatch {
  /** The models as they were found when somebody last looked. */
  current(): EngineModels
  /** Looks whether choices, catalogues or files changed, and checks all models again where one did. Those who ask at once share a look. */
  refresh(): Promise<EngineModels>
}

/**
 * Checks the configured models, and again whenever something about them changed: what an operator installs, chooses, replaces or removes
 * counts without a restart. What is wrong with a model is logged once.
 */
export async function watchModels(config: ModelConfig, log: Logger): Promise<ModelWatch> {
  let found = await look(config)
  let running: Promise<EngineModels> | undefined
  logProblems(found.checked, undefined, log)

  async function check(): Promise<EngineModels> {
    if ((await readState(config.modelsDir, found.files)) === found.state) return found.models
    const before = found
    found = await look(config)
    logProblems(found.checked, before.checked, log)
    return found.models
  }

  return {
    current: () => found.models,
    refresh: () => (running ??= check().finally(() => (running = undefined))),
  }
}

interface Look {
  checked: CheckedModels
  models: EngineModels
  /** Of all models in use, those that are missing too. */
  files: string[]
  /** What choices, catalogues and files looked like before they were checked: what changes meanwhile is seen by the next look. */
  state: string
}

async function look(config: ModelConfig): Promise<Look> {
  let files: string[] = []
  for (;;) {
    const state = await readState(config.modelsDir, files)
    const checked = await checkModels(config)
    const used = await listFiles(checked)
    // The second round, which knows whose state to read, checks nothing anew.
    if (used.join('\n') === files.join('\n')) return { checked, models: toEngineModels(checked), files, state }
    files = used
  }
}

async function listFiles(checked: CheckedModels): Promise<string[]> {
  const models = listChecked(checked).flatMap(({ model }) => (model && !isRemote(model) ? [model] : []))
  const files = await Promise.all(models.map((model) => listModelFiles(model).catch(() => [model])))
  return [...new Set(files.flat().map(({ path }) => path))]
}

function isRemote(model: SpeechModel | TranslationModel): boolean {
  return 'remoteName' in model && model.remoteName !== undefined
}

async function readState(modelsDir: string, files: string[]): Promise<string> {
  const catalogs = [join(bundledModelsDir, 'catalog.json'), localCatalogPath(modelsDir)]
  const states = [...catalogs, choicesPath(modelsDir), ...files].map(async (path) => {
    const { size, mtimeMs, ctimeMs, ino } = (await stat(path).catch(() => undefined)) ?? {}
    return [path, size, mtimeMs, ctimeMs, ino].join(' ')
  })
  return (await Promise.all(states)).join('\n')
}

function logProblems(checked: CheckedModels, before: CheckedModels | undefined, log: Logger): void {
  const known = before ? new Set(problemsOf(before).map(({ message }) => message)) : new Set<string>()
  const problems = problemsOf(checked)
  for (const error of problems) {
    if (!known.has(error.message)) log.error({ err: error, help: error.help }, error.message)
  }
  if (before && known.size > 0 && problems.length === 0) log.info('every model in use can be used again')
}

function problemsOf(checked: CheckedModels): AppError[] {
  return listChecked(checked).flatMap(({ error }) => error ?? [])
}
