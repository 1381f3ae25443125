import type { Logger } from 'pino'

/** Why a database rejects connections until something is changed, and what to change. Sentences without secrets, for logs and commands. */
export interface ConnectionFailure {
  reason: string
  advice: string
}

/** MongoDB's error codes Unauthorized, AuthenticationFailed, and UserNotFound. */
const unauthorized = 13
const authenticationCodes = new Set([11, 18])

const noTls: ConnectionFailure = {
  reason: 'The connection to MongoDB ended before TLS began.',
  advice: 'Where it is there without TLS, turn that on, or remove tls=true from MONGODB_URI.',
}

const tlsFailures: Record<string, ConnectionFailure> = {
  ...describeAll(
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    {
      reason: 'The certificate of MongoDB was not issued by an authority that this machine knows.',
      advice: "Name the file with the authority's certificate in MONGODB_URI: tlsCAFile=/path/ca.pem.",
    },
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'The certificate of MongoDB is for another host than the one in MONGODB_URI.',
    advice: 'Use a name that the certificate has, or issue a certificate for this one.',
  },
  CERT_HAS_EXPIRED: { reason: 'The certificate of MongoDB has expired.', advice: 'Renew it on the database server.' },
  ...describeAll(['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'], {
    reason: 'MongoDB asks for a client certificate.',
    advice: 'Name the file with certificate and key in MONGODB_URI: tlsCertificateKeyFile=/path/client.pem.',
  }),
}

function describeAll(codes: string[], failure: ConnectionFailure): Record<string, ConnectionFailure> {
  return Object.fromEntries(codes.map((code) => [code, failure]))
}

/**
 * Returns what is wrong where waiting does not help: user, password, permissions, TLS, files named in the URI. Undefined for anything
 * else, such as a server that is down.
 */
export function describeConnectionFailure(error: unknown): ConnectionFailure | undefined {
  for (const cause of causesOf(error)) {
    const described = describeOne(cause)
    if (described) return described
  }
  return undefined
}

function describeOne(error: Error): ConnectionFailure | undefined {
  const code = 'code' in error ? error.code : undefined
  if (error.name === 'MongoServerError' && authenticationCodes.has(Number(code))) {
    return {
      reason: 'MongoDB refuses the user of MONGODB_URI, or the password or certificate.',
      advice:
        'Check them, and authSource: the database in which the user was created. `awaz db user` prints how one is created.',
    }
  }
  if (error.name === 'MongoServerError' && code === unauthorized) {
    return {
      reason: 'MongoDB does not let the user of MONGODB_URI read its database, or the URI names no user.',
      advice: '`awaz db user` prints how a user with the rights that Awaz needs is created.',
    }
  }
  if ((code === 'ENOENT' || code === 'EACCES') && 'path' in error && 'syscall' in error && error.syscall === 'open') {
    return {
      reason: `A file that MONGODB_URI names cannot be read: ${String(error.path)}.`,
      advice: 'Check its path, and that the account that Awaz runs as may read it.',
    }
  }
  // Node's message: a server without TLS closes the connection.
  if (/before secure TLS connection was established/.test(error.message)) return noTls
  return typeof code === 'string' ? tlsFailures[code] : undefined
}

/** Returns an error, its causes, and what the driver found out about each server. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const servers: unknown = 'reason' in error && isTopology(error.reason) ? [...error.reason.servers.values()] : []
  const found = Array.isArray(servers) ? servers.flatMap((server) => causesOf(server?.error)) : []
  return [error, ...causesOf(error.cause), ...found]
}

function isTopology(reason: unknown): reason is { servers: Map<string, { error?: unknown }> } {
  return typeof reason === 'object' && reason !== null && 'servers' in reason && reason.servers instanceof Map
}

/**
 * Returns a function that logs failed attempts to connect: failures that need a person once, with what to do, and all others as
 * `createOutageHooks` does.
 */
export function createConnectionReport(log: Pick<Logger, 'error' | 'warn'>): (error: unknown) => void {
  let last: string | undefined
  return (error) => {
    const failure = describeConnectionFailure(error)
    if (!failure) return log.warn({ err: error }, 'the database cannot be reached; trying again')
    if (failure.reason !== last) log.error({ help: failure.advice }, `${failure.reason} Trying again every second.`)
    last = failure.reason
    return undefined
  }
}
