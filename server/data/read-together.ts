import type { Model, PipelineStage, QueryFilter } from 'mongoose'

/** What is read of one collection. */
export interface CollectionRead<Document extends object> {
  model: Model<Document>
  /** Holds ids and times as they are stored: nothing is converted. */
  filter: NoInfer<QueryFilter<Document>>
  /** As for `find`. Default: all fields. */
  projection?: Readonly<Record<string, 0 | 1>>
  /** Decides which documents `limit` keeps. */
  sort?: Readonly<Record<string, 1 | -1>>
  limit?: number
}

/** Large enough that all documents arrive in the first batch. */
const maxBatch = 10_000

/**
 * Reads several collections in one command, each using its own indexes: for reads that do not depend on each other. Returns the documents
 * of each read, unconverted and in no order.
 */
export async function readTogether<Documents extends Record<string, object>>(reads: {
  [Name in keyof Documents]: CollectionRead<Documents[Name]>
}): Promise<{ [Name in keyof Documents]: Documents[Name][] }> {
  const names: (keyof Documents)[] = Object.keys(reads)
  const [first, ...others] = names.map((name) => reads[name])
  if (!first) throw new Error('There is nothing to read')
  const pipeline: PipelineStage[] = [
    ...stagesOf(first, 0),
    ...others.map((read, index) => ({
      $unionWith: { coll: read.model.collection.collectionName, pipeline: stagesOf(read, index + 1) },
    })),
  ]
  const found = await first.model.aggregate<{ read: number; document: object }>(pipeline, { batchSize: maxBatch })
  const byRead = Map.groupBy(found, ({ read }) => read)
  const results = names.map((name, index) => [name, (byRead.get(index) ?? []).map(({ document }) => document)])
  return Object.fromEntries(results) as { [Name in keyof Documents]: Documents[Name][] } // one entry for each read
}

function stagesOf<Document extends object>(
  { filter, projection, sort, limit }: CollectionRead<Document>,
  read: number,
): Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>[] {
  return [
    // $match takes the same filters as `find`.
    { $match: filter as PipelineStage.Match['$match'] },
    ...(sort ? [{ $sort: sort }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(projection ? [{ $project: projection }] : []),
    { $replaceWith: { read: { $literal: read }, document: '$$ROOT' } },
  ]
}
