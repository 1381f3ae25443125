import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the web app is made of; a change in any of it makes the build stale. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'server/contract',
  'package-lock.json',
]
const stampName = '.build-stamp'

/**
 * Builds web/dist when its sources changed since the last build. An image that carries the built app without its sources keeps
 * it. Throws an Error with the build's own words when it fails.
 */
export async function buildWebIfStale(root: string): Promise<void> {
  if (!existsSync(join(root, 'web/src'))) return
  const stamp = await hashSources(root)
  const dist = join(root, 'web/dist')
  const built = await readFile(join(dist, stampName), 'utf8').catch(() => '')
  if (built === stamp) return
  console.log('Building the web app...')
  // Built beside and moved into place, so that a server that runs already never serves half a build.
  const fresh = join(root, 'node_modules/.awaz', `web-${process.pid}`)
  await mkdir(join(root, 'node_modules/.awaz'), { recursive: true })
  runVite(root, fresh)
  await writeFile(join(fresh, stampName), stamp)
  await rm(dist, { recursive: true, force: true })
  await rename(fresh, dist)
}

function runVite(root: string, outDir: string) {
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', outDir, '--emptyOutDir']
  // Whoever asks may run under tests, whose NODE_ENV would put React's development build into the app.
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(process.execPath, [...args, '--logLevel', 'warn'], { cwd: root, env, encoding: 'utf8' })
  if (result.status === 0) return
  throw new Error(`The web app could not be built.\n${result.stdout}${result.stderr}`)
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(root, source)) hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}

/** Files under `path`, tests left out, in a fixed order. */
async function listFiles(root: string, path: string): Promise<string[]> {
  if (!existsSync(join(root, path))) return []
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}
