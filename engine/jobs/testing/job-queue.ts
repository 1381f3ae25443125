import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'

/** Creates a test database with everything that recording jobs need. */
export async function openTestQueue(
  choice: Parameters<typeof createTestDatabase>[0] = {},
): Promise<{ database: TestDatabase; queue: Queue }> {
  const database = await createTestDatabase(choice)
  const queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  return { database, queue }
}
