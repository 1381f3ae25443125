import type { DatabaseConnection } from '../connect.ts'
import { models } from '../indexes.ts'

/** Returns how many documents each collection has, from the database's metadata, without counting them. */
export async function countDocuments(connection: DatabaseConnection): Promise<{ collection: string; count: number }[]> {
  const counts: { collection: string; count: number }[] = []
  for (const modelOn of models) {
    const { collection } = modelOn(connection)
    counts.push({ collection: collection.collectionName, count: await collection.estimatedDocumentCount() })
  }
  return counts.toSorted((a, b) => (a.collection < b.collection ? -1 : 1))
}
