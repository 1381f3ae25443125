import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { version } from './version.ts'

const root = join(import.meta.dirname, '../..')
let search: Promise<string | null> | undefined

/**
 * Returns the abbreviated commit that this process runs: that of the release, or in a clone, that of git at the first call. Null where
 * neither is known.
 */
export function findRevision(): Promise<string | null> {
  const [, released] = /\+\d{8}\.([0-9a-f]+)/.exec(version) ?? []
  search ??= released === undefined ? askGit() : Promise.resolve(released)
  return search
}

async function askGit(): Promise<string | null> {
  // Variables of a surrounding git command may name another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      env,
      timeout: 5_000,
    })
    return stdout.trim()
  } catch {
    return null
  }
}
