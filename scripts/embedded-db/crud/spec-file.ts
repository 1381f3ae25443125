import { readFile } from 'node:fs/promises'
import { BSON } from 'mongodb'

/** The parts of MongoDB's unified test format that the CRUD tests use. */
export interface SpecFile {
  runOnRequirements?: Requirement[]
  initialData?: CollectionData[]
  createEntities?: Record<string, Entity>[]
  tests?: SpecTest[]
}

export interface SpecTest {
  description: string
  skipReason?: string
  runOnRequirements?: Requirement[]
  operations: Operation[]
  outcome?: CollectionData[]
  expectEvents?: ExpectedEvents[]
}

export interface Requirement {
  minServerVersion?: string
  maxServerVersion?: string
  topologies?: string[]
  serverless?: string
  auth?: boolean
}

export interface CollectionData {
  databaseName: string
  collectionName: string
  documents: Fields[]
}

export interface Entity {
  id: string
  client?: string
  database?: string
  databaseName?: string
  databaseOptions?: Fields
  collectionName?: string
  collectionOptions?: Fields
  uriOptions?: Fields
  serverApi?: Fields
  ignoreCommandMonitoringEvents?: string[]
}

export interface Operation {
  name: string
  object: string
  arguments?: Fields
  expectError?: ExpectedError
  expectResult?: unknown
  ignoreResultAndError?: boolean
  saveResultAsEntity?: string
}

export interface ExpectedError {
  errorCode?: number
  errorCodeName?: string
  errorContains?: string
  isClientError?: boolean
  isError?: boolean
  expectResult?: unknown
}

export interface ExpectedEvents {
  client: string
  eventType?: string
  ignoreExtraEvents?: boolean
  events: Record<string, { command?: unknown }>[]
}

export type Fields = Record<string, unknown>

export async function readSpecFile(path: string): Promise<SpecFile> {
  // MongoDB defines the format; the tests of a file with another shape fail.
  return BSON.EJSON.parse(await readFile(path, 'utf8'), { relaxed: true }) as SpecFile
}

/** Whether a single server of this version meets one of the requirements; none means any server. */
export function isRunnable(requirements: Requirement[] | undefined, version: readonly number[]): boolean {
  return (
    !requirements ||
    requirements.some(
      ({ minServerVersion, maxServerVersion, topologies, serverless, auth }) =>
        (!minServerVersion || compare(version, parse(minServerVersion)) >= 0) &&
        (!maxServerVersion || compare(version, parse(maxServerVersion)) <= 0) &&
        (!topologies || topologies.includes('single')) &&
        serverless !== 'require' &&
        auth !== true,
    )
  )
}

function parse(version: string): number[] {
  return version.split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
