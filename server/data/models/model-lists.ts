import type { Connection } from 'mongoose'
import { z } from 'zod'
import { Model } from '#contract/entities/model.ts'
import { findLiveEngines } from '../engines/engines.ts'
import { modelListModel, type ModelListDocument } from './model-list-model.ts'

/** What an engine knows of models. */
export interface ModelList {
  models: Model[]
  /** What is wrong with the catalogues, a sentence each. */
  problems: string[]
}

/** Says which models an engine knows; replaces what it said before. */
export async function publishModels(
  connection: Connection,
  engineId: string,
  { models, problems }: ModelList,
): Promise<void> {
  await modelListModel(connection).updateOne(
    { _id: engineId },
    [{ $set: { models: { $literal: models }, problems: { $literal: problems }, publishedAt: '$$NOW' } }],
    { upsert: true, updatePipeline: true },
  )
}

export async function removeModelList(connection: Connection, engineId: string): Promise<void> {
  await modelListModel(connection).deleteOne({ _id: engineId })
}

/**
 * The models that the live engines know together, in the order of the first; null while none has said so. Of a model that several know,
 * what an engine says that has it installed counts.
 */
export async function readModelLists(
  connection: Connection,
): Promise<{ models: Model[] | null; problems: string[]; engines: number }> {
  const live = await findLiveEngines(connection)
  const found = await modelListModel(connection)
    .find({ _id: { $in: live.map(({ _id }) => _id) } })
    .lean<ModelListDocument[]>()
  const lists = live.flatMap(({ _id }) => found.find((candidate) => candidate._id === _id) ?? [])
  const problems = [...new Set(lists.flatMap((list) => list.problems ?? []))]
  if (lists.length === 0) return { models: null, problems, engines: live.length }
  const byId = new Map<string, Model>()
  for (const model of lists.flatMap((list) => parseModels(list.models))) {
    const known = byId.get(model.id)
    if (!known || (!known.is_installed && model.is_installed)) byId.set(model.id, model)
  }
  return { models: [...byId.values()], problems, engines: live.length }
}

/** An engine of another version may say things that this one does not know. */
function parseModels(models: unknown): Model[] {
  return z
    .array(z.unknown())
    .catch([])
    .parse(models)
    .flatMap((model) => Model.safeParse(model).data ?? [])
}
