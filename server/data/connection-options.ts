import { MongoClient, type MongoClientOptions } from 'mongodb'
import type { ConnectOptions as MongooseOptions } from 'mongoose'
import type { Deployment } from './deployment.ts'

/** A call fails after this time where the database hangs; without repeats, a request gets its response within 5 s. */
const operationTimeoutMs = 3000
/** For opening a connection, and for waiting for a free one. */
const checkoutTimeoutMs = 1500
/** Interval at which the driver checks the database: it is found again this soon even without requests. */
const heartbeatFrequencyMs = 2000
/** The same for the members of a set, where another one can serve. */
const memberCheckMs = 1000

/**
 * How often a call is repeated that got no connection. The driver (7.8) takes a refused connection for an overloaded server and repeats the call
 * after up to 0.2, 0.4, 0.8 … s, at first twice: a primary that was killed is noticed by its next check, which may be a second away.
 */
const maxConnectionRetries = 5

/** How long a call waits for a server that can serve it: one that has no other is back soon or not at all. */
const selectionTimeoutMs = 3000
/** The same while a replica set elects a primary. */
const electionTimeoutMs = 10_000

/** For tests. */
interface TimeLimits {
  electionTimeoutMs?: number | undefined
}

/** Returns how the connection of the product works with a deployment: `clientOptions`, and a call fails soon where the database hangs. */
export function connectionOptions(uri: string, deployment: Deployment, limits: TimeLimits = {}): MongooseOptions {
  return {
    ...clientOptions(uri, deployment, limits),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    socketTimeoutMS: operationTimeoutMs,
  }
}

/**
 * Returns how the driver works with a deployment. What decides whether something acknowledged can be lost is chosen here and does not depend
 * on the URI or on the server's defaults: docs/mongodb.md. A call itself has no time limit.
 */
export function clientOptions(uri: string, deployment: Deployment, limits: TimeLimits = {}): MongoClientOptions {
  const hasOthers = deployment.kind === 'set' || deployment.kind === 'sharded'
  return {
    socketTimeoutMS: 0,
    connectTimeoutMS: checkoutTimeoutMs,
    waitQueueTimeoutMS: hasOthers ? operationTimeoutMs : checkoutTimeoutMs,
    heartbeatFrequencyMS: hasOthers ? memberCheckMs : heartbeatFrequencyMs,
    serverSelectionTimeoutMS: hasOthers ? (limits.electionTimeoutMs ?? electionTimeoutMs) : selectionTimeoutMs,
    w: writeAcknowledgement(uri, deployment),
    journal: true,
    wtimeoutMS: 0,
    // An acknowledged write is on whichever member is elected; a secondary, or what most members have committed, may lag behind it.
    readPreference: 'primary',
    readConcernLevel: 'local',
    // The driver repeats writes where the server recognizes repeats: not on a single server, ours included.
    retryWrites: true,
    // A single server that hangs would take the time of two calls.
    retryReads: hasOthers,
    maxAdaptiveRetries: hasOthers ? maxConnectionRetries : 2,
  }
}

/** Returns the URI's number of members where that is more than most of them. */
function writeAcknowledgement(uri: string, { memberCount }: Deployment): number | 'majority' {
  const given = new MongoClient(uri).options.writeConcern?.w
  return typeof given === 'number' && given > memberCount / 2 && memberCount > 1 ? given : 'majority'
}
