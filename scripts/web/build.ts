import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the web app is made of; a change in any of it makes the build stale. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/chunk-names.ts',
  'server/contract',
  'package-lock.json',
]
const stampName = '.build-stamp'
const viteScript = 'node_modules/vite/bin/vite.js'

/**
 * Builds web/dist if its sources have changed since the last build. An installation that cannot build, because it has no sources, no
 * build tools or no write permission, keeps its existing web app. Throws an Error with the build's output if the build fails, and one
 * that says what to do if there is neither a web app nor a way to build one.
 */
export async function buildWebIfStale(root: string): Promise<void> {
  const dist = join(root, 'web/dist')
  const isBuilt = existsSync(join(dist, 'index.html'))
  const hindrance = await findHindrance(root)
  if (hindrance) {
    if (isBuilt) return
    throw new Error(
      `The web app is not built and cannot be built here: ${hindrance}. Run "npm ci" and "npm run build".`,
    )
  }
  const stamp = await hashSources(root)
  const built = await readFile(join(dist, stampName), 'utf8').catch(() => '')
  if (isBuilt && built === stamp) return
  console.log('Building the web app...')
  // Built beside and moved into place, so that a server that is already running never serves half a build.
  const fresh = join(root, 'node_modules/.awaz', `web-${process.pid}`)
  await mkdir(join(root, 'node_modules/.awaz'), { recursive: true })
  runVite(root, fresh)
  await writeFile(join(fresh, stampName), stamp)
  await rm(dist, { recursive: true, force: true })
  await rename(fresh, dist)
}

/** Returns why the web app cannot be built here, or undefined. */
async function findHindrance(root: string): Promise<string | undefined> {
  if (!existsSync(join(root, 'web/src'))) return 'its sources are missing'
  if (!existsSync(join(root, viteScript))) return 'its build tools are not installed'
  const isWritable = await Promise.all(['web', 'node_modules'].map((folder) => canWrite(join(root, folder))))
  return isWritable.every(Boolean) ? undefined : `${root} cannot be written`
}

function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

function runVite(root: string, outDir: string) {
  const args = [join(root, viteScript), 'build', 'web', '--outDir', outDir, '--emptyOutDir']
  // The caller may be running in tests, whose NODE_ENV would put React's development build into the app.
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

/** Lists the files under `path` in a fixed order, without tests. */
async function listFiles(root: string, path: string): Promise<string[]> {
  if (!existsSync(join(root, path))) return []
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}
