import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AppError } from '#contract/app-error.ts'
import { bundledModelsDir, localCatalogPath } from '#engine/models/catalog.ts'
import { choicesPath } from '#engine/models/choices.ts'
import { readFileState } from '#engine/models/file-state.ts'
import { listSpeechPaths } from '#engine/models/installed-speech-models.ts'
import { measuredPath } from '#engine/models/measurements.ts'
import { isRemote } from '#engine/models/model-entry.ts'
import { listModelFiles } from '#engine/models/model-files.ts'
import { checkModels } from './check-models.ts'
import type { CheckedModels, ModelConfig } from './check-models.ts'
import { listChecked, toEngineModels } from './engine-models.ts'
import type { EngineModels } from './engine-models.ts'

export interface ModelWatch {
  /** Returns the models that the last check found. */
  current(): EngineModels
  /** Checks all models again if choices, catalogs or files have changed. Simultaneous calls share one check. */
  refresh(): Promise<EngineModels>
}

/**
 * Checks the configured models, and checks them again whenever something about them changes: what an operator installs, chooses, replaces
 * or removes takes effect without a restart. Each problem is logged once.
 */
export async function watchModels(config: ModelConfig, log: Logger): Promise<ModelWatch> {
  let found = await inspect(config)
  let running: Promise<EngineModels> | undefined
  logProblems(found.checked, undefined, log)

  async function check(): Promise<EngineModels> {
    if ((await readState(config.modelsDir, found.files)) === found.state) return found.models
    const before = found
    found = await inspect(config)
    logProblems(found.checked, before.checked, log)
    return found.models
  }

  return {
    current: () => found.models,
    refresh: () => (running ??= check().finally(() => (running = undefined))),
  }
}

interface Inspection {
  checked: CheckedModels
  models: EngineModels
  /** The files of all models in use, and the locations of the speech models to choose from, including missing ones. */
  files: string[]
  /** State of choices, catalogs and files before the check: changes made during a check are found by the next one. */
  state: string
}

async function inspect(config: ModelConfig): Promise<Inspection> {
  let files: string[] = []
  for (;;) {
    const state = await readState(config.modelsDir, files)
    const checked = await checkModels(config)
    const used = await listFiles(checked, config)
    // The first round only finds out which files to read the state of; the second is cached.
    if (used.join('\n') === files.join('\n')) return { checked, models: toEngineModels(checked), files, state }
    files = used
  }
}

async function listFiles(checked: CheckedModels, { modelsDir, speechServers }: ModelConfig): Promise<string[]> {
  const models = listChecked(checked).flatMap(({ model }) => (model && !isRemote(model) ? [model] : []))
  const files = await Promise.all(models.map((model) => listModelFiles(model).catch(() => [model])))
  const selectable = speechServers ? [] : await listSpeechPaths(modelsDir)
  return [...new Set([...files.flat(), ...selectable].map(({ path }) => path))]
}

function readState(modelsDir: string, files: string[]): Promise<string> {
  const catalogs = [join(bundledModelsDir, 'catalog.json'), localCatalogPath(modelsDir)]
  return readFileState([...catalogs, choicesPath(modelsDir), measuredPath(modelsDir), ...files])
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
