import { readFileSync } from 'node:fs'

/** A file with the offset of this database's clock in milliseconds, with which tests set the clock at run time. */
const offsetFile = process.env.AWAZ_TEST_DATABASE_CLOCK

/** Returns the current time of this database in milliseconds since 1970. */
export function currentTimeMs(): number {
  return Date.now() + (offsetFile ? readOffset(offsetFile) : 0)
}

function readOffset(path: string): number {
  const offset = Number(readFileSync(path, 'utf8'))
  if (!Number.isFinite(offset)) throw new Error(`${path} must hold a number of milliseconds`)
  return offset
}
