import type { TopologyDescriptionChangedEvent } from 'mongodb'
import type { DatabaseConnection } from './connect.ts'

/** What the driver's checks of the database reveal about a connection. */
interface Reachability {
  /** Returns since when the database has been continuously reachable, by this process's monotonic clock; `Infinity` while it is not. */
  reachableSinceMs(): number
}

const known = new WeakMap<DatabaseConnection, Reachability>()

/** Returns the reachability of an established connection, observed from the first call on. */
export function observeReachability(connection: DatabaseConnection): Reachability {
  const observed = known.get(connection)
  if (observed) return observed
  let sinceMs = -Infinity
  connection.getClient().on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const isReachable = newDescription.servers.values().some((server) => server.isWritable)
    if (!isReachable) sinceMs = Infinity
    else if (sinceMs === Infinity) sinceMs = performance.now()
  })
  const created = { reachableSinceMs: () => sinceMs }
  known.set(connection, created)
  return created
}
