import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ModelRequest, type ModelOutcome } from '#contract/entities/model-operation.ts'
import type { Config } from '#data/config.ts'
import type { ModelList } from '#data/models/model-lists.ts'
import type { ModelOperationRecord } from '#data/models/model-operations.ts'
import { importModel } from '#engine/models/store/import-model.ts'
import { pullModel } from '#engine/models/store/pull-model.ts'
import { removeModel } from '#engine/models/store/remove-model.ts'
import type { StoreOptions, StoreProgress } from '#engine/models/store/store-options.ts'
import { clearChoice } from '#engine/models/store/use-model.ts'
import { finishInstallation } from '#engine/try-model/finish-installation.ts'
import { describeForms, tryForms } from '#engine/try-model/try-forms.ts'
import { useTriedModel } from '#engine/try-model/use-tried-model.ts'
import { describeModels, listDescribedPaths } from '#engine/models/describe-models.ts'
import type { OperationTask } from './run-operation.ts'

/** Runs model operations on this engine. */
export interface ModelOperationExecutor {
  list(): Promise<ModelList>
  /** Returns the paths of the files that `list` reads. */
  listPaths(): Promise<string[]>
  /** Returns whether this engine has the files of an operation: engines on different hosts may have different import folders. */
  canRun(operation: ModelOperationRecord): Promise<boolean>
  run(operation: ModelOperationRecord, task: OperationTask): Promise<ModelOutcome>
}

export function createModelOperationExecutor(config: Config): ModelOperationExecutor {
  return {
    list: () => describeModels(config),
    listPaths: () => listDescribedPaths(config),
    async canRun({ request }) {
      const parsed = ModelRequest.safeParse(request).data
      return parsed?.kind !== 'import' || exists(importPath(config, parsed.import_name))
    },
    run: ({ request }, task) => runRequest(config, ModelRequest.parse(request), task),
  }
}

const stages: Record<StoreProgress['stage'], string> = {
  download: 'Downloading',
  copy: 'Copying',
  unpack: 'Unpacking',
  convert: 'Converting',
  check: 'Checking',
}

async function runRequest(config: Config, request: ModelRequest, task: OperationTask): Promise<ModelOutcome> {
  const options: StoreOptions = {
    signal: task.signal,
    onProgress: ({ stage, done, total }) =>
      task.onProgress({ stage: stages[stage], done, total: total || null, is_bytes: true }),
  }
  if (request.kind === 'pull') {
    const { model, isNew, fastForm } = await pullModel(request.model_id, config, options)
    const message = isNew
      ? `${model.name} is installed.`
      : `${model.name} was installed already, and its files are intact.`
    const details = await finishInstallation({ model, fastForm }, config, options)
    return { message, details, model_id: model.id }
  }
  if (request.kind === 'verify') {
    task.onProgress({ stage: 'Loading it and trying it on a sample', done: 0, total: null, is_bytes: false })
    const trials = await tryForms(request.model_id, config, options)
    const details = describeForms(trials).map((line) => line.replace(/\s{2,}/, ': '))
    const { model } = trials.chosen
    return { message: `${model.name} works.`, details, model_id: model.id }
  }
  if (request.kind === 'use') {
    const { model_id: id, language, pair } = request
    const model = await useTriedModel(id, { language, pair }, config, options)
    return { message: `${model.name} is used from the next job on.`, details: [], model_id: id }
  }
  if (request.kind === 'clear') {
    const { model_id: id, language, pair } = request
    await clearChoice({ language, pair }, config)
    return { message: 'The default model is used for it from the next job on.', details: [], model_id: id }
  }
  if (request.kind === 'import') return runImport(config, request, options)
  const { model, isFileKept } = await removeModel(request.model_id, config)
  const details = isFileKept ? ['Its file stays: another model has the same.'] : []
  return { message: `${model.name} was removed.`, details, model_id: null }
}

type ImportRequest = Extract<ModelRequest, { kind: 'import' }>

async function runImport(config: Config, request: ImportRequest, options: StoreOptions): Promise<ModelOutcome> {
  const { kind: _kind, import_name: fileName, ...choices } = request
  const { model, fastForm } = await importModel(importPath(config, fileName), choices, config, options)
  await removeUploaded(config, fileName)
  const details = await finishInstallation({ model, fastForm }, config, options)
  return { message: `${model.name} is installed as ${model.id}.`, details, model_id: model.id }
}

/** Removes an import that was uploaded in the browser; files that an operator put in the folder stay. */
async function removeUploaded(config: Config, name: string): Promise<void> {
  const marker = importPath(config, join('.uploaded', name))
  if (!(await exists(marker))) return
  await rm(importPath(config, name), { recursive: true, force: true })
  await rm(marker, { force: true })
}

function importPath({ modelsDir }: Config, name: string): string {
  return join(modelsDir, 'import', name)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
