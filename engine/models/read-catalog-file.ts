import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ModelEntry } from './model-entry.ts'

export interface CatalogProblem {
  /** Path of the catalog. */
  file: string
  /** The entry's id, empty if it has none; undefined if the whole file cannot be read. */
  id: string | undefined
  /** Whether the entry or the whole file is left out; otherwise only a part of the entry is. */
  isFatal: boolean
  /** A sentence with the file, the entry and the key. */
  message: string
}

interface CatalogFile {
  models: ModelEntry[]
  problems: CatalogProblem[]
}

/** Reads a catalog. Invalid entries are left out; a missing file has no models. */
export async function readCatalogFile(file: string): Promise<CatalogFile> {
  let entries: unknown[]
  try {
    entries = parseFile(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { models: [], problems: [] }
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The model catalogue ${file} is left out: ${reason.replace(/\.$/, '')}.`
    return { models: [], problems: [{ file, id: undefined, isFatal: true, message }] }
  }
  const read = entries.map((entry, index) => readEntry(file, entry, index))
  return {
    models: read.flatMap(({ model }) => model ?? []),
    problems: read.flatMap(({ problems }) => problems),
  }
}

function parseFile(text: string): unknown[] {
  const parsed = z.object({ models: z.array(z.unknown()) }).safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data.models
  throw new Error('it has no list "models"')
}

function readEntry(file: string, given: unknown, index: number): { model?: ModelEntry; problems: CatalogProblem[] } {
  const named = z.object({ id: z.string() }).safeParse(given)
  const id = named.success ? named.data.id : undefined
  const name = id === undefined ? `Entry ${index + 1}` : `The entry "${id}"`
  const parsed = ModelEntry.safeParse(given)
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the entry'}: ${message}`)
    const message = `${name} of ${file} is not valid: ${reasons.join('; ').replace(/\.$/, '')}.`
    return { problems: [{ file, id: id ?? '', isFatal: true, message }] }
  }
  const unknown = findUnknownKeys(given, parsed.data)
  if (unknown.length === 0) return { model: parsed.data, problems: [] }
  const keys = unknown.map((key) => `"${key}"`).join(', ')
  const message = `${name} of ${file} has keys that are not known and are left out: ${keys}.`
  return { model: parsed.data, problems: [{ file, id, isFatal: false, message }] }
}

/** Returns the keys that parsing dropped, as paths such as `decoding.beams`. */
function findUnknownKeys(given: unknown, parsed: unknown, path = ''): string[] {
  if (!isObject(given) || !isObject(parsed)) return []
  return Object.keys(given).flatMap((key) =>
    Object.hasOwn(parsed, key) ? findUnknownKeys(given[key], parsed[key], `${path}${key}.`) : [`${path}${key}`],
  )
}

/** Includes arrays: their indexes are keys. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
