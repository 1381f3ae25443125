/** The MongoDB errors that this engine returns, by name, with their codes. */
const errorCodes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  NotAReplicaSet: 123,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  IndexOptionsNotSupported: 197,
  QueryFeatureNotAllowed: 224,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  Location15955: 15955,
  Location15958: 15958,
  Location15975: 15975,
  Location17419: 17419,
  Location31249: 31249,
  Location31254: 31254,
  Location40066: 40066,
  Location40234: 40234,
  Location40323: 40323,
  Location40324: 40324,
  Location40415: 40415,
  Location40573: 40573,
  Location51024: 51024,
  Location51091: 51091,
  Location51246: 51246,
} as const

export type MongoErrorName = keyof typeof errorCodes

/** A reply `{ok: 0}` with MongoDB's code and name and a message; drivers branch on the code. */
export class CommandError extends Error {
  readonly code: number
  readonly codeName: MongoErrorName
  readonly details: Record<string, unknown>

  constructor(codeName: MongoErrorName, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CommandError'
    this.code = errorCodes[codeName]
    this.codeName = codeName
    this.details = details
  }

  toReply(): Record<string, unknown> {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.details }
  }
}

export function badValue(message: string): CommandError {
  return new CommandError('BadValue', message)
}

/** The end of the message about a name that this engine does not know. */
export const unsupportedHere = 'the embedded database does not support it; MongoDB may'

/** Returns the error for an option or operator that only MongoDB has: refused by name, never ignored. */
export function unsupported(what: string): CommandError {
  return new CommandError(
    'CommandNotSupported',
    `${what} is not supported by the embedded database; use MongoDB for it`,
  )
}
