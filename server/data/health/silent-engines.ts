import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { engineModel } from '../engines/engine-model.ts'

/** An engine that ended without unregistering, or hangs. */
export interface SilentEngine {
  id: string
  host: string
  silentMs: number
}

const silentAfterMs = 60_000
/** After longer than this, nobody waits for it. */
const forgottenAfterMs = 24 * 3_600_000

/** Returns the engines whose last heartbeat was 1 minute to 24 hours ago. At most 100. */
export async function findSilentEngines(connection: DatabaseConnection): Promise<SilentEngine[]> {
  const now = (await readDatabaseTime(connection)).getTime()
  const found = await engineModel(connection)
    .find(
      { beatAt: { $gt: new Date(now - forgottenAfterMs), $lt: new Date(now - silentAfterMs) } },
      { host: 1, beatAt: 1 },
    )
    .sort({ beatAt: -1 })
    .limit(100)
    .lean()
  return found.map(({ _id, host, beatAt }) => ({ id: _id, host, silentMs: now - beatAt.getTime() }))
}
