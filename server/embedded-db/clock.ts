import { readFileSync } from 'node:fs'

/** A file that holds how many milliseconds this database's clock is off: how tests set the clock of a running database. */
const offsetFile = process.env.AWAZ_TEST_DATABASE_CLOCK

/** The time as this database tells it, in milliseconds since 1970. */
export function currentTimeMs(): number {
  return Date.now() + (offsetFile ? readOffset(offsetFile) : 0)
}

function readOffset(path: string): number {
  const offset = Number(readFileSync(path, 'utf8'))
  if (!Number.isFinite(offset)) throw new Error(`${path} must hold a number of milliseconds`)
  return offset
}
