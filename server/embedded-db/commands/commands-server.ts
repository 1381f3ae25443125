import type { Command } from './command.ts'

/** What the engine claims to be, so that drivers use the protocol it speaks. */
export const PRETENDED_VERSION = '8.0.0'
const WIRE_VERSION = 25
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE_BYTES = 48_000_000

const startedAtMs = Date.now()

/** A handshake announces what the driver can do; what we cannot do is left out of the answer, as the protocol wants. */
const hello: Command = {
  isWrite: false,
  options: 'any',
  run: ({ connectionId, variables }) => ({
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: variables.NOW,
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    // Ours: tells the application, and anybody who looks, that this is no mongod.
    awazEmbedded: true,
    ok: 1,
  }),
}

const buildInfo: Command = {
  isWrite: false,
  options: [],
  run: () => ({
    version: PRETENDED_VERSION,
    versionArray: [...PRETENDED_VERSION.split('.').map(Number), 0],
    gitVersion: 'awaz-embedded',
    modules: [],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    storageEngines: ['sqlite'],
    awazEmbedded: true,
    ok: 1,
  }),
}

const serverStatus: Command = {
  isWrite: false,
  options: [],
  run: ({ cursors, variables }) => ({
    version: PRETENDED_VERSION,
    process: 'awaz-embedded-database',
    pid: process.pid,
    uptime: (Date.now() - startedAtMs) / 1000,
    localTime: variables.NOW,
    metrics: { cursor: { open: { total: cursors.count } } },
    mem: { resident: Math.round(process.memoryUsage().rss / 2 ** 20) },
    storageEngine: { name: 'sqlite' },
    ok: 1,
  }),
}

const acknowledge: Command = { isWrite: false, options: [], run: () => ({ ok: 1 }) }

/** Sessions are acknowledged, as drivers open them by themselves; transactions are refused everywhere. */
export const serverCommands = {
  hello,
  ismaster: hello,
  isMaster: hello,
  buildInfo,
  buildinfo: buildInfo,
  serverStatus,
  ping: acknowledge,
  endSessions: acknowledge,
}
