/** Names of the driver's errors for a connection that broke, could not be made or is being closed. */
const connectionFailures = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoSystemError',
  'MongoServerClosedError',
  'MongoNotConnectedError',
  'MongoWaitQueueTimeoutError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
  'MongoUnexpectedServerResponseError',
  'MongoStalePrimaryError',
  'MongoExpiredSessionError',
  'MongooseServerSelectionError',
])

/**
 * Error codes of a server that cannot answer now: those that the driver specification "Retryable Reads" calls retryable, 10058 and 13436
 * of old servers, and 43 for a cursor opened before the server restarted.
 */
const retryableCodes = new Set([6, 7, 43, 89, 91, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436])

/** Error code of MongoDB and the embedded database for a full disk. */
const outOfDiskSpace = 14031

/**
 * Returns whether an error means that the database is unreachable: stopped, restarting, electing a primary, or hanging. A retry may
 * succeed. The error of a bulk write wraps the connection's error.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (connectionFailures.has(error.name)) return true
  if (error.name.startsWith('Mongo') && retryableCodes.has(codeOf(error))) return true
  if (error.name === 'MongoBulkWriteError' && 'errorResponse' in error)
    return isDatabaseUnavailable(error.errorResponse)
  return error.name === 'MongooseError' && /initial connection|not connected|buffering timed out/i.test(error.message)
}

/** Returns whether an error, or one that it names as its cause, means that the database is unreachable. */
export function isCausedByUnavailableDatabase(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true
  return error instanceof Error && error.cause !== undefined && isCausedByUnavailableDatabase(error.cause)
}

/** Returns whether an error comes from the database or its driver, rather than from the data read. */
export function isDatabaseError(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && error.name.startsWith('Mongo'))
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
