import { z } from 'zod'
import { Id } from '#contract/scalars.ts'
import { invalidInput } from '#server/http/parse.ts'

/** The position of a call in the results: calls are in descending order of these, the first that differs counts. */
export type Rank = [tier: number, score: number, createdAt: number, id: string]

const StoredRank = z.tuple([z.number(), z.number(), z.number(), Id])

export function writeCursor(rank: Rank): string {
  return Buffer.from(JSON.stringify(rank)).toString('base64url')
}

/** Throws `invalid_input` for what no search returned. */
export function readCursor(cursor: string): Rank {
  try {
    return StoredRank.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw invalidInput(['Please search again: the results cannot be continued from here'], 'cursor')
  }
}

/** Returns a negative number where `a` comes before `b`. */
export function compareRanks(a: Rank, b: Rank): number {
  for (let index = 0; index < a.length; index++) {
    const [x = 0, y = 0] = [a[index], b[index]]
    if (x !== y) return x > y ? -1 : 1
  }
  return 0
}
