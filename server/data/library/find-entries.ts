import { foldKeyword } from '#contract/keywords/fold.ts'
import { maxSelected, type LibraryFilter, type LibraryOrder, type LibrarySelection } from '#contract/library.ts'
import { listCaseRecordings } from '../cases/case-recordings.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { inChunks } from './in-chunks.ts'
import { readLibrary, type LibraryRow } from './read-library.ts'
import { stateRanks } from './recording-state.ts'

interface EntryPage {
  filter: LibraryFilter
  order: LibraryOrder
  page: number
  perPage: number
}

/** Returns a sorted page of the rows of an owner's recordings, and how many match the filter. */
export async function findEntries(
  connection: DatabaseConnection,
  ownerId: string,
  { filter, order, page, perPage }: EntryPage,
): Promise<{ rows: LibraryRow[]; total: number }> {
  const found = await findRows(connection, ownerId, filter)
  const skip = (page - 1) * perPage
  return { rows: sortRows(found, order).slice(skip, skip + perPage), total: found.length }
}

/** Returns the ids of the selected recordings that the owner has, newest first, at most `maxSelected`. */
export async function findSelected(
  connection: DatabaseConnection,
  ownerId: string,
  selection: LibrarySelection,
): Promise<string[]> {
  const order: LibraryOrder = { sort: 'created', order: 'desc' }
  if ('ids' in selection) return findOwned(connection, ownerId, selection.ids)
  const excepted = new Set(selection.except)
  const found = await findRows(connection, ownerId, selection.filter)
  const selected = sortRows(
    found.filter(({ id }) => !excepted.has(id)),
    order,
  )
  return selected.slice(0, maxSelected).map(({ id }) => id)
}

/** Returns the ids that belong to the owner's recordings, newest first. */
async function findOwned(connection: DatabaseConnection, ownerId: string, ids: string[]): Promise<string[]> {
  const found: { id: string; createdAtMs: number }[] = []
  await inChunks([...new Set(ids)], async (chunk) => {
    const recordings = await recordingModel(connection)
      .find({ _id: { $in: chunk.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null }, { createdAt: 1 })
      .batchSize(chunk.length)
      .lean<Pick<RecordingDocument, '_id' | 'createdAt'>[]>()
    found.push(...recordings.map(({ _id, createdAt }) => ({ id: _id.toHexString(), createdAtMs: createdAt.getTime() })))
  })
  return found.toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
}

async function findRows(connection: DatabaseConnection, ownerId: string, filter: LibraryFilter): Promise<LibraryRow[]> {
  const [rows, caseIds] = await Promise.all([
    readLibrary(connection, ownerId),
    filter.case === undefined ? null : listCaseRecordings(connection, ownerId, filter.case),
  ])
  const inCase = caseIds && new Set(caseIds.map(({ recordingId }) => recordingId))
  const matches = compileFilter(filter)
  return rows.filter((row) => matches(row) && (!inCase || inCase.has(row.id)))
}

function compileFilter(filter: LibraryFilter): (row: LibraryRow) => boolean {
  const { states, languages, categories, tags, min_duration: min = 0, max_duration: max = Infinity } = filter
  const name = foldKeyword(filter.search)
  const ranks = states.map((state) => stateRanks[state])
  const fromMs = filter.from === undefined ? -Infinity : Date.parse(filter.from)
  const toMs = filter.to === undefined ? Infinity : Date.parse(filter.to)
  return (row) =>
    (ranks.length === 0 || ranks.includes(row.state)) &&
    (languages.length === 0 || languages.some((language) => row.languages.includes(language))) &&
    (categories.length === 0 || categories.some((category) => row.hits[category] > 0)) &&
    tags.every((tag) => row.tags.includes(tag)) &&
    (name === '' || row.foldedName.includes(name)) &&
    row.createdAtMs >= fromMs &&
    row.createdAtMs < toMs &&
    row.durationMs >= min * 1000 &&
    row.durationMs <= max * 1000
}

const sortKeys: Record<LibraryOrder['sort'], (row: LibraryRow) => number | string> = {
  created: ({ createdAtMs }) => createdAtMs,
  name: ({ sortName }) => sortName,
  duration: ({ durationMs }) => durationMs,
  state: ({ state }) => state,
  hits: ({ hits }) => hits.threats + hits.sentiment + hits.intent + hits.custom,
  heard: ({ heard }) => heard,
  verified: ({ verified }) => verified,
}

/** Sorts rows by the key; rows with equal keys newest first. */
function sortRows(rows: LibraryRow[], { sort, order }: LibraryOrder): LibraryRow[] {
  const keyOf = sortKeys[sort]
  const way = order === 'asc' ? 1 : -1
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => {
      if (a.key !== b.key) return a.key < b.key ? -way : way
      return b.row.createdAtMs - a.row.createdAtMs || (a.row.id < b.row.id ? 1 : -1)
    })
    .map(({ row }) => row)
}
