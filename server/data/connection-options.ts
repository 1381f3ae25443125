import { MongoClient, type MongoClientOptions } from 'mongodb'
import type { ConnectOptions as MongooseOptions } from 'mongoose'
import type { Deployment } from './deployment.ts'

/** A call fails after this time if the database hangs; without retries, a request gets its response within 5 s. */
const operationTimeoutMs = 3000
/** For opening a connection, and for waiting for a free one. */
const checkoutTimeoutMs = 1500
/** Interval at which the driver checks the database, and so how soon it is found again even without requests. */
const heartbeatFrequencyMs = 2000
/** The same interval for members of a replica set, where another member can serve. */
const memberCheckMs = 1000

/**
 * How often a call that got no connection is retried. The driver (7.8) takes a refused connection for an overloaded server and retries
 * after up to 0.2, 0.4, 0.8 … s, twice by default: too few, as a killed primary is noticed only by the next check, up to a second later.
 */
const maxConnectionRetries = 5

/** How long a call waits for a server that can serve it: a single server is back soon or not at all. */
const selectionTimeoutMs = 3000
/** The same limit while a replica set elects a primary. */
const electionTimeoutMs = 10_000

/** For tests. */
interface TimeLimits {
  electionTimeoutMs?: number | undefined
}

/** Returns the options of the product's connection to a deployment: `clientOptions`, and calls fail soon where the database hangs. */
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
 * Returns the driver's options for a deployment. Whatever decides whether acknowledged writes can be lost is chosen here and does not
 * depend on the URI or on the server's defaults: docs/mongodb.md. Calls have no time limit.
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
    // Whichever member is elected has every acknowledged write; a secondary, or what the majority has committed, may lag behind.
    readPreference: 'primary',
    readConcernLevel: 'local',
    // The driver retries writes where the server recognizes retries: not on a single server, including the embedded database.
    retryWrites: true,
    // On a single server that hangs, a retry would double the time of a call.
    retryReads: hasOthers,
    maxAdaptiveRetries: hasOthers ? maxConnectionRetries : 2,
  }
}

/** Returns `majority`, or the URI's number of members where that is more. */
function writeAcknowledgement(uri: string, { memberCount }: Deployment): number | 'majority' {
  const given = new MongoClient(uri).options.writeConcern?.w
  return typeof given === 'number' && given > memberCount / 2 && memberCount > 1 ? given : 'majority'
}
