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

/** What a member says while it is no primary, or is ending: "not primary" and "shutting down" of the server discovery specification. */
const electionCodes = new Set([91, 189, 10058, 10107, 11600, 11602, 13435, 13436])

/** MongoDB's code and the embedded database's for a disk without room. */
const outOfDiskSpace = 14031

/** Whether the database could not be asked: it is gone, restarting, choosing a primary, or does not answer. The call may be made again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (connectionFailures.has(error.name)) return true
  if (error.name.startsWith('Mongo') && electionCodes.has(codeOf(error))) return true
  return error.name === 'MongooseError' && /initial connection|not connected|buffering timed out/i.test(error.message)
}

/** Whether the database could not write: its disk is full or read-only, or the file system gave up. */
export function isDatabaseDiskFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !error.name.startsWith('Mongo')) return false
  if (codeOf(error) === outOfDiskSpace) return true
  return /disk I\/O error|attempt to write a readonly database|unable to open database file/.test(error.message)
}

function codeOf(error: Error): number {
  return 'code' in error ? Number(error.code) : Number.NaN
}
