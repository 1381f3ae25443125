import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { KeywordCategory } from '../keywords/keywords.ts'
import { Id, Moment } from '../scalars.ts'
import { maxSearchQueryLength } from '../search-query.ts'

/** The maximum number of lines per call in a page of results; with `recording`, up to `maxLinesOfCall`. */
export const maxLinesPerCall = 5
export const maxLinesOfCall = 200

/**
 * A match in a call: a line of the transcript or of a translation, a note, the call's name, or a name given to a speaker. Times are in
 * seconds; the `end` of a note equals its time, both are 0 for the call's name, and a speaker's name has the times of the speaker's first
 * line. `marks` are UTF-16 offsets `[from, to]` in `text`; `spelled` are the marks that are other spellings of the search terms. `before`
 * and `after` are the adjacent lines.
 */
export const FoundLine = z.object({
  kind: z.enum(['line', 'translation', 'note', 'name', 'speaker']),
  start: z.number(),
  end: z.number(),
  speaker: z.string().nullable(),
  language: z.string().nullable(),
  text: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])),
  spelled: z.array(z.tuple([z.int(), z.int()])),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type FoundLine = z.infer<typeof FoundLine>

/** A call with its matches; `total` counts all matching lines, `lines` has the first of them. */
export const FoundCall = z.object({
  recording: z.object({
    id: Id,
    name: z.string(),
    created_at: Moment,
    /** Seconds. */
    duration: z.number(),
    language: z.string().nullable(),
  }),
  /** Whether a single line contains all search terms; otherwise they are spread over several lines. */
  is_in_one_line: z.boolean(),
  total: z.int(),
  lines: z.array(FoundLine),
})
export type FoundCall = z.infer<typeof FoundCall>

/** A name in a query, as typed, with its other spellings in the results: folded words, closest first. */
export const AlsoSpelled = z.object({ name: z.string(), spellings: z.array(z.string()) })
export type AlsoSpelled = z.infer<typeof AlsoSpelled>

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'user',
    summary:
      'Lines of the user\'s calls with all words of `q`: words, "phrases", beginnings of words with `*`, `-` before what a line must not ' +
      'have. Calls with all of it in one line come first, then those that have it in different lines. `speaker`, `language` and ' +
      '`category` (of the keywords in it) restrict lines, `from` and `to` when the call was added, `recording` to one call. `spelling=any` also finds names in other ' +
      'spellings, in Arabic script and in Latin: those that were found are in `also_spelled`',
    query: z.object({
      q: z.string().trim().min(1, 'Please enter a word').max(maxSearchQueryLength),
      sort: z.enum(['newest', 'best']).default('newest'),
      spelling: z.enum(['exact', 'any']).default('exact'),
      speaker: z.string().trim().min(1).max(100).optional(),
      language: z
        .string()
        .regex(/^[a-z]{2,3}$/)
        .optional(),
      category: KeywordCategory.optional(),
      from: Moment.optional(),
      to: Moment.optional(),
      recording: Id.optional(),
      /** Continues the search that returned this cursor. */
      cursor: z.string().max(200).optional(),
    }),
    response: z.object({
      calls: z.array(FoundCall),
      total_calls: z.int().nonnegative(),
      cursor: z.string().nullable(),
      /** The query rewritten with similar words that occur, when nothing was found. */
      suggestion: z.string().nullable(),
      also_spelled: z.array(AlsoSpelled),
    }),
    errors: [],
  }),
}
