import { z } from 'zod'
import type { Query, Response } from '#contract/endpoint.ts'
import { maxLinesOfCall, maxLinesPerCall, type search } from '#contract/endpoints/search.ts'
import { parseSearchQuery, type SearchQuery } from '#contract/search-query.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readHitLines } from '#data/search/hit-lines.ts'
import { createIndexReader, TooManyBlocksError, type OpenIndex } from '#data/search/index-reader.ts'
import { createSearchableRecordings, type SearchableRecording } from '#data/search/searchable-recordings.ts'
import { createTimeSlices } from '#data/time-slices.ts'
import { invalidInput } from '#server/http/parse.ts'
import { createUserTurns } from '#server/security/user-turns.ts'
import { Id } from '#contract/scalars.ts'
import { matchRecording, type RecordingMatch } from './match-recording.ts'
import { readQuery } from './read-query.ts'
import { showCalls } from './show-calls.ts'
import { createSpellingFinder, findSegmentsWithoutWords, spellQuery } from './spell-names.ts'
import { listSpellings } from './list-spellings.ts'
import { suggestQuery } from './suggest-query.ts'

/** The position of a call in the results: calls are sorted by these values in descending order, and the first that differs decides. */
type Rank = [tier: number, score: number, createdAt: number, id: string]

const StoredRank = z.tuple([z.number(), z.number(), z.number(), Id])

function writeCursor(rank: Rank): string {
  return Buffer.from(JSON.stringify(rank)).toString('base64url')
}

/** Throws `invalid_input` for a cursor that no search returned. */
function readCursor(cursor: string): Rank {
  try {
    return StoredRank.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw invalidInput(['Please search again: the results cannot be continued from here'], 'cursor')
  }
}

/** Returns a negative number if `a` comes before `b`. */
function compareRanks(a: Rank, b: Rank): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2] || Number(b[3] > a[3]) - Number(a[3] > b[3])
}

/** Returns the matches that come first, in order. There may be thousands, and a page shows ten, so they are not all sorted. */
function chooseFirst(matches: RankedMatch[], count: number): RankedMatch[] {
  const first: RankedMatch[] = []
  for (const match of matches) {
    const last = first[count - 1]
    if (last && compareRanks(match.rank, last.rank) > 0) continue
    const at = first.findIndex(({ rank }) => compareRanks(match.rank, rank) < 0)
    first.splice(at < 0 ? first.length : at, 0, match)
    if (first.length > count) first.pop()
  }
  return first
}

type SearchRequest = Query<typeof search.find>

export type SearchService = ReturnType<typeof createSearch>

const callsPerPage = 10
const matchedBetweenPauses = 32
/** The maximum that one search may read; the most common word in 1,000 hours takes half a megabyte. */
const defaultMaxIndexBytes = 16 * 1024 * 1024

const nothing = { calls: [], total_calls: 0, cursor: null, also_spelled: [] }

interface RankedMatch {
  recording: SearchableRecording
  match: RecordingMatch
  rank: Rank
}

interface PageOptions {
  request: SearchRequest
  query: SearchQuery
  after: Rank | undefined
  isRepeated?: boolean
}

/** Creates the search through the names, transcripts, translations and notes of a user's own recordings. */
export function createSearch({
  connection,
  maxIndexBytes = defaultMaxIndexBytes,
}: {
  connection: DatabaseConnection
  maxIndexBytes?: number
}) {
  const reader = createIndexReader(connection)
  const recordings = createSearchableRecordings(connection)
  const findSpellings = createSpellingFinder(recordings)
  // Searching is CPU-bound: running more at once would only slow all of them down.
  const takeTurn = createUserTurns({ concurrency: 2, concurrencyPerUser: 1 })

  /** Returns a page of calls. Throws `invalid_input` if the query is not valid, or would read too much. */
  async function find(ownerId: string, request: SearchRequest, signal: AbortSignal) {
    const query = parseSearchQuery(request.q)
    if (query.problem !== null) throw invalidInput([query.problem], 'q')
    const after = request.cursor === undefined ? undefined : readCursor(request.cursor)
    return takeTurn(ownerId, () => findPage(ownerId, { request, query, after }), signal)
  }

  async function findPage(
    ownerId: string,
    { request, query, after, isRepeated = false }: PageOptions,
  ): Promise<Response<typeof search.find>> {
    const { index, matches, read, queries, spellings } = await findMatches(ownerId, request, query)
    if (matches.length === 0) return { ...nothing, suggestion: await suggest(index, ownerId, { request, query }) }
    const rest = after ? matches.filter(({ rank }) => compareRanks(rank, after) > 0) : matches
    const page = chooseFirst(rest, callsPerPage)
    const last = page.at(-1)
    const calls = await showCalls(connection, ownerId, page, {
      queries,
      maxLines: request.recording ? maxLinesOfCall : maxLinesPerCall,
    })
    // One of them has been deleted or rewritten in the meantime.
    if (calls.length < page.length && !isRepeated) return findPage(ownerId, { request, query, after, isRepeated: true })
    return {
      calls,
      total_calls: matches.length,
      cursor: last && rest.length > page.length ? writeCursor(last.rank) : null,
      suggestion: null,
      also_spelled: listSpellings(spellings, matches, read),
    }
  }

  /** Returns the query with similar words replacing those that occur nowhere, if that finds anything. */
  async function suggest(
    index: OpenIndex,
    ownerId: string,
    { request, query }: Pick<PageOptions, 'request' | 'query'>,
  ): Promise<string | null> {
    const suggestion = await suggestQuery(index, query)
    if (suggestion === null) return null
    const { matches } = await findMatches(ownerId, request, parseSearchQuery(suggestion))
    return matches.length > 0 ? suggestion : null
  }

  /** Returns all matching recordings. */
  async function findMatches(ownerId: string, request: SearchRequest, query: SearchQuery) {
    const { speaker, language, category } = request
    // Ordinals are read before the index is opened, so that the words of each are in it.
    const candidates = (await recordings.read(ownerId)).filter((recording) => isWanted(recording, request))
    const index = await reader.open(ownerId)
    const spellings =
      request.spelling === 'any' ? await findSpellings(index, query, { ownerId, maxBytes: maxIndexBytes }) : []
    const queries = spellQuery(query, spellings)
    const missingIn = findSegmentsWithoutWords(query, spellings)
    const read = await readWithinLimit(index, { queries, missingIn, filter: { speaker, language } })
    const hitLines = category && (await readHitLines(connection, ownerId, category))
    const options = {
      hasNames: [speaker, language, category].every((filter) => filter === undefined),
      allowedLines: hitLines && (({ ordinal }: SearchableRecording) => hitLines.get(ordinal) ?? []),
    }
    const averageLines = candidates.reduce((sum, { lineCount }) => sum + lineCount, 0) / Math.max(1, candidates.length)
    const matches: RankedMatch[] = []
    const pause = createTimeSlices()
    for (const [index, recording] of candidates.entries()) {
      const match = matchRecording(read, recording, options)
      if (match) matches.push({ recording, match, rank: rankOf(recording, match, request.sort, averageLines) })
      // Checking the clock takes longer than most recordings.
      if (index % matchedBetweenPauses === 0) await pause()
    }
    return { index, matches, read, queries, spellings }
  }

  async function readWithinLimit(index: OpenIndex, options: Omit<Parameters<typeof readQuery>[1], 'maxBytes'>) {
    try {
      return await readQuery(index, { ...options, maxBytes: maxIndexBytes })
    } catch (error) {
      if (!(error instanceof TooManyBlocksError)) throw error
      throw invalidInput([tooMuch(options.queries.typed)], 'q')
    }
  }

  return { find }
}

function isWanted({ id, createdAt }: SearchableRecording, { from, to, recording }: SearchRequest): boolean {
  if (recording !== undefined && id !== recording) return false
  return (from === undefined || createdAt >= Date.parse(from)) && (to === undefined || createdAt <= Date.parse(to))
}

/** Calls with everything in one line come first; then the newest, or those with the most matches for their length. */
function rankOf(
  { id, createdAt, lineCount }: SearchableRecording,
  { isInOneLine, isNameFound, lines }: RecordingMatch,
  sort: SearchRequest['sort'],
  averageLines: number,
): Rank {
  const tier = Number(isInOneLine)
  if (sort === 'newest') return [tier, createdAt, createdAt, id]
  // Okapi BM25's term frequency weight; the weights of the words are the same for every call that has all of them.
  const length = 0.25 + (0.75 * lineCount) / Math.max(1, averageLines)
  const score = lines.length / (lines.length + 1.2 * length) + Number(isNameFound)
  return [tier, score, createdAt, id]
}

function tooMuch({ terms, excluded }: SearchQuery): string {
  const prefix = [...terms, ...excluded].find(({ words }) => words.some(({ isPrefix }) => isPrefix))
  return prefix
    ? `Too many words begin with “${prefix.text}”. Please add letters before the asterisk.`
    : 'These words are too frequent to be searched together. Please leave some of them out.'
}
