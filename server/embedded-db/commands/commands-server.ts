import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from './command.ts'

/** The version that the engine reports, so that drivers use the protocol it supports. */
export const emulatedVersion = '8.0.0'
const wireVersion = 25
const maxDocumentBytes = 16 * 1024 * 1024
const maxMessageBytes = 48_000_000

const startedAtMs = Date.now()

/** A handshake announces what the driver supports; the reply leaves out what this engine does not, as the protocol requires. */
const hello: Command = {
  isWrite: false,
  options: 'any',
  run: ({ connectionId, variables }) => ({
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: 100_000,
    localTime: variables.NOW,
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
    readOnly: false,
    // Not in MongoDB: tells clients that this is not a mongod.
    awazEmbedded: true,
    ok: 1,
  }),
}

const buildInfo: Command = {
  isWrite: false,
  options: [],
  run: () => ({
    version: emulatedVersion,
    versionArray: [...emulatedVersion.split('.').map(Number), 0],
    gitVersion: 'awaz-embedded',
    modules: [],
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    storageEngines: ['sqlite'],
    awazEmbedded: true,
    ok: 1,
  }),
}

const serverStatus: Command = {
  isWrite: false,
  options: [],
  run: ({ cursors, variables }) => ({
    version: emulatedVersion,
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

/** Returns only the disk space, in bytes, of what MongoDB reports. */
const dbStats: Command = {
  isWrite: false,
  options: ['scale'],
  run({ database, store }) {
    const { blocks, bavail, bsize } = statfsSync(dirname(store.file))
    return { db: database, fsUsedSize: (blocks - bavail) * bsize, fsTotalSize: blocks * bsize, ok: 1 }
  },
}

const acknowledge: Command = { isWrite: false, options: [], run: () => ({ ok: 1 }) }

/** Sessions are acknowledged because drivers open them automatically; transactions are refused everywhere. */
export const serverCommands = {
  hello,
  ismaster: hello,
  isMaster: hello,
  buildInfo,
  buildinfo: buildInfo,
  serverStatus,
  dbStats,
  ping: acknowledge,
  endSessions: acknowledge,
}
