import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedQuery, Recording } from './recorder.ts'

/** Merges the recordings in AWAZ_DB_RECORD_DIR from all processes of a test run. */
export async function readRecordings(folder: string): Promise<Recording> {
  const joined = {
    commands: new Set<string>(),
    operators: new Set<string>(),
    queries: new Map<string, RecordedQuery>(),
  }
  for (const name of await readdir(folder)) {
    // Written by recorder.ts.
    const recording = JSON.parse(await readFile(join(folder, name), 'utf8')) as Recording
    for (const command of recording.commands) joined.commands.add(command)
    for (const operator of recording.operators) joined.operators.add(operator)
    for (const query of recording.queries)
      joined.queries.set(query.shape, addQuery(joined.queries.get(query.shape), query))
  }
  return {
    commands: [...joined.commands].toSorted(),
    operators: [...joined.operators].toSorted(),
    queries: [...joined.queries.values()],
  }
}

function addQuery(known: RecordedQuery | undefined, query: RecordedQuery): RecordedQuery {
  if (!known) return query
  return {
    ...query,
    times: known.times + query.times,
    timesScanned: known.timesScanned + query.timesScanned,
    scanSample: known.scanSample ?? query.scanSample,
  }
}

/**
 * Returns the queries with a filter or a sort for which explain returns COLLSCAN, as `command collection filter sort`. Reading a whole
 * collection does not count. `allowed` lists prefixes of that text for queries that scan for a reason.
 */
export function collectionScans({ queries }: Recording, allowed: readonly string[] = []): string[] {
  return queries
    .filter(({ timesScanned, shape }) => timesScanned > 0 && !shape.endsWith(' {} {}'))
    .map(({ shape }) => shape)
    .filter((shape) => !allowed.some((beginning) => shape.startsWith(beginning)))
}
