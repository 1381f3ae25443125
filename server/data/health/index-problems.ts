import type { mongo } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { models } from '../indexes.ts'

/** An index that a model declares but that is missing from the database or has different options there. */
export interface IndexProblem {
  collection: string
  name: string
  problem: 'missing' | 'different'
}

/** Compares the indexes of every collection with those declared by the models. Other indexes are ignored. */
export async function findIndexProblems(connection: DatabaseConnection): Promise<IndexProblem[]> {
  const problems: IndexProblem[] = []
  for (const modelOn of models) {
    const { schema, collection } = modelOn(connection)
    const present = new Map((await listIndexes(collection)).map((index) => [JSON.stringify(index.key), index]))
    for (const [key, options] of schema.indexes()) {
      const found = present.get(JSON.stringify(key))
      const place = { collection: collection.collectionName, name: found?.name ?? nameOf(key) }
      if (!found) problems.push({ ...place, problem: 'missing' })
      else if (!hasOptions(found, options)) problems.push({ ...place, problem: 'different' })
    }
  }
  return problems
}

const namespaceNotFound = 26

/** Returns the indexes of a collection; none if it does not exist yet. */
async function listIndexes(collection: { indexes(): Promise<mongo.IndexDescriptionInfo[]> }) {
  return collection.indexes().catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === namespaceNotFound) return []
    throw error
  })
}

/** Returns whether an index covers the same documents as the declared one, with the same uniqueness and expiry. */
function hasOptions(index: mongo.IndexDescriptionInfo, options: object): boolean {
  const declared: Record<string, unknown> = { ...options }
  const found: Record<string, unknown> = { ...index }
  const isEqual = (name: string) => JSON.stringify(found[name] ?? false) === JSON.stringify(declared[name] ?? false)
  return ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'].every(isEqual)
}

/** Returns the name that the driver gives an index. */
function nameOf(key: object): string {
  return Object.entries(key)
    .map(([field, order]) => `${field}_${String(order)}`)
    .join('_')
}
