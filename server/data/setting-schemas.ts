import { z } from 'zod'
import { findUriProblem } from './mongodb-uri.ts'

/** Empty means unset: Compose files pass empty strings for values not filled in. */
export const text = z.string().min(1).optional()
/** `true`, `false`, `1` or `0`. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

/** An integer within limits. */
export function count(min: number, max: number) {
  return z.coerce.number('must be a number').int('must be a whole number').min(min).max(max)
}

/** Splits a list at its commas. */
export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** An http address without a trailing slash. */
export function webOrigin(example: string) {
  return z
    .url({ protocol: /^https?$/, error: `must be an address such as ${example}` })
    .transform((value) => value.replace(/\/+$/, ''))
}

/** Adds an issue for a connection string that the MongoDB driver rejects. */
export function checkMongodbUri(uri: string, context: z.core.$RefinementCtx<string>): void {
  const problem = findUriProblem(uri)
  if (problem !== undefined) context.addIssue(problem)
}
