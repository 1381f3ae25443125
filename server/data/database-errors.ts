const connectionFailures = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoServerClosedError',
  'MongoNotConnectedError',
  'MongoWaitQueueTimeoutError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoClientClosedError',
])

/** Error codes of a member that is no primary or shuts down: "not primary" and "shutting down" of the server discovery specification. */
const electionCodes = new Set([91, 189, 10058, 10107, 11600, 11602, 13435, 13436])

/** Error code of MongoDB and of the embedded database for a full disk. */
const outOfDiskSpace = 14031

/** Returns whether an error means that the database is unreachable: stopped, restarting, electing a primary, or hanging. A retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (connectionFailures.has(error.name)) return true
  if (error.name.startsWith('Mongo') && electionCodes.has(codeOf(error))) return true
  return error.name === 'MongooseError' && /initial connection|not connected|buffering timed out/i.test(error.message)
}

/** Returns whether the database could not write: its disk is full, read-only or failing. */
export function isDatabaseDiskFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !error.name.startsWith('Mongo')) return false
  if (codeOf(error) === outOfDiskSpace) return true
  return /disk I\/O error|attempt to write a readonly database|unable to open database file/.test(error.message)
}

function codeOf(error: Error): number {
  return 'code' in error ? Number(error.code) : Number.NaN
}
