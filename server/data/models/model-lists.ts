import { z } from 'zod'
import { Model } from '#contract/entities/model.ts'
import type { DatabaseConnection } from '../connect.ts'
import { findLiveEngines } from '../engines/engines.ts'
import { modelListModel, type ModelListDocument } from './model-list-model.ts'

/** The models that an engine knows. */
export interface ModelList {
  models: Model[]
  /** Problems of the catalogs, one sentence each. */
  problems: string[]
}

/** Publishes the models that an engine knows, replacing its previous list. */
export async function publishModels(
  connection: DatabaseConnection,
  engineId: string,
  { models, problems }: ModelList,
): Promise<void> {
  await modelListModel(connection).updateOne(
    { _id: engineId },
    [{ $set: { models: { $literal: models }, problems: { $literal: problems }, publishedAt: '$$NOW' } }],
    { upsert: true, updatePipeline: true },
  )
}

export async function removeModelList(connection: DatabaseConnection, engineId: string): Promise<void> {
  await modelListModel(connection).deleteOne({ _id: engineId })
}

/**
 * Returns all models that the live engines know, in the order of the first engine; null while none has published a list. Where
 * several engines know a model, one that has it installed wins.
 */
export async function readModelLists(
  connection: DatabaseConnection,
): Promise<{ models: Model[] | null; problems: string[]; engines: number }> {
  const live = await findLiveEngines(connection)
  const found = await modelListModel(connection)
    .find({ _id: { $in: live.map(({ id }) => id) } })
    .lean<ModelListDocument[]>()
  const lists = live.flatMap(({ id }) => found.find(({ _id }) => _id === id) ?? [])
  const problems = [...new Set(lists.flatMap((list) => list.problems ?? []))]
  if (lists.length === 0) return { models: null, problems, engines: live.length }
  const byId = new Map<string, Model>()
  for (const model of lists.flatMap((list) => parseModels(list.models))) {
    const known = byId.get(model.id)
    if (!known || (!known.is_installed && model.is_installed)) byId.set(model.id, model)
  }
  return { models: [...byId.values()], problems, engines: live.length }
}

/** Parses models, leaving out those with a shape unknown to this version. */
function parseModels(models: unknown): Model[] {
  return z
    .array(z.unknown())
    .catch([])
    .parse(models)
    .flatMap((model) => Model.safeParse(model).data ?? [])
}
