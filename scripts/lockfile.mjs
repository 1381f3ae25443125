// Limits package-lock.json to the platforms of Awaz: Linux x64 and arm64 with glibc, CPU only. Records the address of each package.
//
//   node scripts/lockfile.mjs           change in place
//   node scripts/lockfile.mjs --check   exit 1 and name the entries that should not be there
//
// Why: parents such as node-llama-cpp list optional packages for platforms the registry does not always have (then
// `npm ci` fails with EUSAGE), and CUDA and Vulkan builds (600 MB) that declare the same os and cpu as the plain one.
// An entry must be removed from `packages` and from its parents' `optionalDependencies`, or npm calls the lock out of date.
// Without addresses `npm ci` first fetches and parses the registry's document of each package, which takes half of its CPU time. Addresses
// of npm's own registry serve for any registry: npm replaces them with the configured one (its setting replace-registry-host).
import { readFileSync, writeFileSync } from 'node:fs'

const lockPath = new URL('../package-lock.json', import.meta.url)
const gpuPackage = /(?:^|[/-])(?:cuda|vulkan|metal|armv7l)(?:$|[/-])/
const otherPlatform =
  /(?:^|[/-])(?:win32?|windows|darwin|mac|android|freebsd|openbsd|netbsd|sunos|aix|openharmony|wasm32|wasm32-wasi|musl|ia32|arm|armv7|riscv64|loong64|mips64el|ppc64|ppc64le|s390x|musleabihf|gnueabihf)(?:$|[/-])/

/**
 * Whether a lock entry is for another platform or a GPU.
 * @param {string} path key in `packages`, such as `node_modules/a/node_modules/b`
 * @param {{os?: string | string[], cpu?: string | string[], libc?: string | string[], optional?: boolean}} entry
 */
function isForeign(path, entry) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (entry.os && ![entry.os].flat().includes('linux')) return true
  if (entry.cpu && ![entry.cpu].flat().some((cpu) => cpu === 'x64' || cpu === 'arm64')) return true
  if (entry.libc && ![entry.libc].flat().includes('glibc')) return true
  return entry.optional === true && isForeignName(name)
}

/** @param {string} name a package name */
function isForeignName(name) {
  return gpuPackage.test(name) || otherPlatform.test(name)
}

/**
 * Removes foreign entries from a parsed lock. Returns their paths.
 * @param {{packages: Record<string, any>}} lock changed in place
 * @returns {string[]}
 */
export function prune(lock) {
  const removed = []
  const gone = new Set()
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || !isForeign(path, entry)) continue
    delete lock.packages[path]
    removed.push(path)
    gone.add(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || !entry.optionalDependencies) continue
    for (const name of Object.keys(entry.optionalDependencies)) {
      const isPlatformPackage = isForeignName(name) || gone.has(name)
      if (!isPlatformPackage && resolves(lock, path, name)) continue
      delete entry.optionalDependencies[name]
      removed.push(`${path} -> ${name}`)
    }
  }
  return [...removed, ...removeUnreachable(lock)]
}

/** Removes entries that no other depends on. Returns their paths. */
function removeUnreachable(lock) {
  const reached = new Set()
  const queue = ['']
  while (queue.length > 0) {
    const path = queue.pop()
    if (reached.has(path)) continue
    reached.add(path)
    const entry = lock.packages[path]
    const names = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies']
      .filter((kind) => path === '' || kind !== 'devDependencies')
      .flatMap((kind) => Object.keys(entry[kind] ?? {}))
    for (const name of names) {
      const target = resolves(lock, path, name)
      if (target !== undefined) queue.push(target)
    }
  }
  const removed = Object.keys(lock.packages).filter((path) => !reached.has(path))
  for (const path of removed) delete lock.packages[path]
  return removed
}

/**
 * Sets the address of each package to its address in npm's own registry. Returns the paths of entries that had a different one or none.
 * @param {{packages: Record<string, any>}} lock changed in place
 * @returns {string[]}
 */
export function setAddresses(lock) {
  const changed = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link || entry.inBundle) continue
    // An alias carries the name of the actual package.
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const resolved = `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
    if (entry.resolved === resolved) continue
    const { version, resolved: _, ...rest } = entry
    // Fields in npm's order.
    lock.packages[path] = { version, resolved, ...rest }
    changed.push(path)
  }
  return changed
}

/**
 * Returns the lock path that `name` resolves to from `from`, as Node looks it up, or undefined.
 * @param {{packages: Record<string, any>}} lock
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
export function resolves(lock, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const candidate = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (lock.packages[candidate]) return candidate
    if (base === '') return undefined
    if (!base.includes('/node_modules/')) base = ''
  }
}

if (import.meta.filename === process.argv[1]) {
  const text = readFileSync(lockPath, 'utf8')
  const lock = JSON.parse(text)
  const removed = prune(lock)
  const addressed = setAddresses(lock)
  if (process.argv.includes('--check')) {
    if (removed.length > 0)
      console.error(`package-lock.json holds packages for other platforms:\n  ${removed.join('\n  ')}`)
    if (addressed.length > 0)
      console.error(`package-lock.json lacks the address in npm's own registry of ${addressed.length} packages`)
    if (removed.length + addressed.length > 0) {
      console.error('Run: node scripts/lockfile.mjs')
      process.exit(1)
    }
  } else if (removed.length + addressed.length > 0) {
    writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
    console.log(`removed ${removed.length} entries, set ${addressed.length} addresses`)
  }
}
