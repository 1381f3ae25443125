import { createRequire } from 'node:module'
import type * as mongodb from 'mongodb'

const example = 'mongodb://user:password@db.example.org:27017/awaz'
const invalidNameCharacters = /[\s/\\."$*<>:|?]/

/**
 * Returns what is wrong with a connection string and what a correct one looks like, as the rest of a sentence "MONGODB_URI …"; undefined
 * where the driver accepts it. Contains no password.
 */
export function findUriProblem(uri: string): string | undefined {
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) return `must begin with mongodb:// or mongodb+srv://, as in ${example}`
  const reason = findReason(uri)
  return reason && `(${maskUri(uri)}) ${reason}; a right one looks like ${example}`
}

function findReason(uri: string): string | undefined {
  try {
    const name = decodeURIComponent(/^[^:]+:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1] ?? '')
    if (parseHosts(uri).some(({ host, socketPath }) => !host && !socketPath)) return 'names no host'
    if (invalidNameCharacters.test(name)) return 'has a name of a database that MongoDB refuses'
    return undefined
  } catch (error) {
    return describeReason(error instanceof Error ? error.message : '', uri)
  }
}

/** Has the driver parse the string; the driver is loaded only where this setting is used. Throws the driver's error. */
function parseHosts(uri: string) {
  const { MongoClient } = createRequire(import.meta.url)('mongodb') as typeof mongodb
  return new MongoClient(uri).options.hosts
}

/** Rephrases the driver's message, which may contain part of a password that includes a character such as `/`. */
function describeReason(message: string, uri: string): string {
  const option = /option "?(\w+)"?/.exec(message)?.[1]
  const options = uri.slice(uri.lastIndexOf('@') + 1).split('?')[1]
  if (option !== undefined && options?.includes(option)) {
    return message.includes('no value')
      ? `has no value for the option ${option}`
      : `has an option that MongoDB does not know, ${option}`
  }
  if (/Unable to parse|host list|No hostname/.test(message)) return 'names no host, or has a port that is not a number'
  if (/port number/.test(message)) return 'must not name a port where it begins with mongodb+srv://'
  if (/unescaped|malformed|Invalid connection string/.test(message)) {
    return 'has a sign in the user or the password that must be written as %40 for @, %3A for :, %2F for / or %25 for %'
  }
  return 'has an option with a value that MongoDB does not take'
}

/** Returns the string without password and options. What is not a port may be a password without a host. */
function maskUri(uri: string): string {
  const masked = uri.replace(/^([^:]+:\/\/[^:@]*):.*@/, '$1:***@').replace(/\?.*$/, '?…')
  return masked.includes('@') ? masked : masked.replace(/:(?!\/\/|\d{1,5}(?:[,/?]|$))[^,/?\]]*(?=[,/?]|$)/g, ':***')
}
