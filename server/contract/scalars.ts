import { z } from 'zod'
import { t } from './texts/t.ts'

/** Returns a schema for a database id, 24 hexadecimal digits, with `missing` as the error message if there is none. */
export function requiredId(missing?: string) {
  const error = missing === undefined ? {} : { error: missing }
  return z.string(error).regex(/^[0-9a-f]{24}$/, 'Not a valid id')
}

/** A database id: 24 hexadecimal digits. */
export const Id = requiredId()

/** A point in time, ISO 8601 in UTC. */
export const Moment = z.iso.datetime()

/** An e-mail address, trimmed and lowercased, as accounts are compared. At most 254 characters (RFC 5321). */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, { error: t('Email is required'), abort: true })
  .max(254, t('Email must be at most 254 characters'))
  .regex(/^[^\s@<>"',;:\\[\]()]+@[^\s@<>"',;:\\[\]()]+\.[^\s@<>"',;:\\[\]().]+$/, {
    error: t('Please enter a valid email address'),
    abort: true,
  })

/** Page parameters of lists (accounts specification, section 3): page 1 and 10 rows by default, at most 100 rows. */
export const Paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
}

/** The fields of a paged list in addition to its rows. */
export const PageInfo = {
  total: z.int().nonnegative(),
  page: z.int().positive(),
  per_page: z.int().positive(),
  pages: z.int().nonnegative(),
}

/** The response of a change that has no object to return. */
export const Message = z.object({ message: z.string() })

export const IdParams = z.object({ id: Id })
