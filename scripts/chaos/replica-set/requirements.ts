import { spawnSync } from 'node:child_process'
import { findMissing, readCapabilities } from '../../hosts/requirements.ts'

/** Returns one line that says what a replica set needs and this machine lacks, or undefined if nothing is missing. */
export function findMissingForSet(mongod: string): string | undefined {
  const { status } = spawnSync(mongod, ['--version'], { stdio: 'ignore' })
  if (status !== 0) return `Missing: ${mongod} does not start. Give --mongod the path of MongoDB's server program.`
  return findMissing(readCapabilities(), ['ip', 'unshare'])
}
