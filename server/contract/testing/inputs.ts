import type { z } from 'zod'
import { checkInput } from '../input-errors.ts'

/** An id as the database generates it. */
export const id = '0123456789abcdef01234567'

/** Returns the messages that a user sees for a rejected input; none for an accepted one. */
export function complaints(schema: z.ZodType, input: unknown): string[] {
  return checkInput(schema, input).errors?.map(({ message }) => message) ?? []
}

/** Returns a text of this length. */
export function textOf(length: number): string {
  return 'a'.repeat(length)
}

/** Returns a list in which an item occurs this many times. */
export function many<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item)
}
