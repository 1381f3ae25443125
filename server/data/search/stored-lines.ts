import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { packJson, toBytes, unpackJson } from '../jobs/packed-json.ts'
import { searchLinesModel, type SearchLinesDocument } from './search-lines-model.ts'

/**
 * A searchable item of a recording: a line of the transcript or of a translation, a note, or a name given to a speaker, with the times
 * of the speaker's first line. Times are in seconds.
 */
export interface StoredLine {
  kind: 'line' | 'translation' | 'note' | 'speaker'
  start: number
  end: number
  speaker: string | null
  language: string | null
  text: string
}

const kinds = ['line', 'translation', 'note', 'speaker'] as const

/** Lines in columns, each name only once: half the size of a list of objects. Times are in milliseconds. */
interface Columns {
  names: (string | null)[]
  /** Per line: its kind, its times, and its speaker and language as numbers in `names`. */
  lines: [kind: number, start: number, end: number, speaker: number, language: number][]
  texts: string[]
}

/** Stores the lines of a recording alongside those of other ordinals. */
export async function insertStoredLines(
  connection: DatabaseConnection,
  { ownerId, id, ordinal }: { ownerId: string; id: string; ordinal: number },
  lines: StoredLine[],
): Promise<void> {
  const data = await packJson(toColumns(lines))
  await searchLinesModel(connection).create({
    ownerId: toObjectId(ownerId),
    recordingId: toObjectId(id),
    ordinal,
    data,
  })
}

/** Removes the lines of recordings; with `except`, all but those of this ordinal. */
export async function removeStoredLines(
  connection: DatabaseConnection,
  { ownerId, ids, except }: { ownerId: string; ids: string[]; except?: number },
): Promise<void> {
  await searchLinesModel(connection).deleteMany({
    ownerId: toObjectId(ownerId),
    recordingId: { $in: ids.map(toObjectId) },
    ...(except !== undefined && { ordinal: { $ne: except } }),
  })
}

/** Returns the searched lines of an owner's recording; null until they have been written. */
export async function readStoredLines(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<StoredLine[] | null> {
  const found = await readLinesOfRecordings(connection, ownerId, [id])
  return found.at(-1)?.lines ?? null
}

/** Returns the searched lines of an owner's recordings with the ordinal they were written for, last written at the end. */
export async function readLinesOfRecordings(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<{ id: string; ordinal: number; lines: StoredLine[] }[]> {
  const found = await searchLinesModel(connection)
    .find({ ownerId: toObjectId(ownerId), recordingId: { $in: ids.map(toObjectId) } })
    .sort({ ordinal: 1 })
    .lean<SearchLinesDocument[]>()
  return Promise.all(
    found.map(async ({ recordingId, ordinal, data }) => {
      const columns = (await unpackJson(toBytes(data))) as Columns // written only by toColumns
      return { id: recordingId.toHexString(), ordinal, lines: fromColumns(columns) }
    }),
  )
}

function toColumns(lines: StoredLine[]): Columns {
  const names = [...new Set(lines.flatMap(({ speaker, language }) => [speaker, language]))]
  const numbers = new Map(names.map((name, index) => [name, index]))
  return {
    names,
    lines: lines.map(({ kind, start, end, speaker, language }) => [
      kinds.indexOf(kind),
      Math.round(start * 1000),
      Math.round(end * 1000),
      numbers.get(speaker) ?? 0,
      numbers.get(language) ?? 0,
    ]),
    texts: lines.map(({ text }) => text),
  }
}

function fromColumns({ names, lines, texts }: Columns): StoredLine[] {
  return lines.map(([kind, start, end, speaker, language], index) => ({
    kind: kinds[kind] ?? 'line',
    start: start / 1000,
    end: end / 1000,
    speaker: names[speaker] ?? null,
    language: names[language] ?? null,
    text: texts[index] ?? '',
  }))
}
