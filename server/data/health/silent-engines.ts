import type { DatabaseConnection } from '../connect.ts'
import { readLiveness } from '../engines/liveness.ts'

/** An engine that exited without unregistering, or hangs. */
export interface SilentEngine {
  id: string
  host: string
  silentMs: number
}

const silentAfterMs = 60_000

/** Returns the stopped engines whose last heartbeat was 1 minute to 24 hours ago. At most 100. */
export async function findSilentEngines(connection: DatabaseConnection): Promise<SilentEngine[]> {
  const { stopped, now } = await readLiveness(connection)
  return stopped
    .map(({ _id, host, beatAt }) => ({ id: _id, host, silentMs: now.getTime() - beatAt.getTime() }))
    .filter(({ silentMs }) => silentMs > silentAfterMs)
}
