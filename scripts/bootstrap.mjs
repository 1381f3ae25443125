// Runs a script under Node 24 after installing and building what is missing. Plain JavaScript that imports nothing but build-whisper.mjs,
// because it must run on the machine's own Node (20 or newer) before anything is installed.
//
//   node scripts/bootstrap.mjs                  installs and builds
//   node scripts/bootstrap.mjs SCRIPT [ARGS...] installs and builds, then runs the script with the arguments
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { constants } from 'node:os'
import { buildWhisper, isWhisperBuilt } from './build-whisper.mjs'

const root = dirname(import.meta.dirname)
const stateDir = join(root, 'node_modules', '.awaz')
const installStamp = join(stateDir, 'installed')

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

function checkMachine() {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    fail(
      `Awaz runs on Linux x64 and arm64; this machine is ${process.platform} ${process.arch}. Use the container image there.`,
    )
  }
  if (Number(process.versions.node.split('.')[0]) < 20) {
    fail(`Awaz needs Node 20 or newer to install; this is ${process.version}.`)
  }
}

/** Returns the command line script of the npm that runs this process, or else of the npm on the PATH. */
function findNpm() {
  if (process.env.npm_execpath?.endsWith('npm-cli.js')) return process.env.npm_execpath
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'npm')
    if (existsSync(candidate)) return realpathSync(candidate)
  }
  return undefined
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function isInstalled() {
  return existsSync(installStamp) && readFileSync(installStamp, 'utf8') === lockHash()
}

/** Rejects a linked node_modules: npm would empty the folder behind the link, which another checkout may be using. */
function refuseLinkedPackages() {
  const packages = join(root, 'node_modules')
  if (!lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) return
  fail(
    'node_modules is a symbolic link, and its packages are not those of package-lock.json. Remove the link, then run this again.',
  )
}

function install(npm) {
  refuseLinkedPackages()
  if (!npm) fail('npm was not found; install Node.js with npm, then run this again.')
  console.error('Installing packages (first run, or the lockfile changed)...')
  const result = spawnSync(
    process.execPath,
    [npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (result.status !== 0) fail('npm ci failed; the reason is above. Check that this machine reaches an npm registry.')
  mkdirSync(stateDir, { recursive: true })
  writeFileSync(installStamp, lockHash())
}

/** Runs work under a lock, so that one process installs at a time. Takes over the lock of a dead process. */
async function withInstallLock(work) {
  const lock = join(root, '.install-lock')
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') {
        fail(
          `Packages or Whisper have to be installed in ${root} first, which cannot be written (${error.code}). Run "npm run build" as its owner.`,
        )
      }
      if (isStale(lock)) rmSync(lock, { recursive: true, force: true })
      else await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  try {
    writeFileSync(join(lock, 'pid'), String(process.pid))
    process.once('exit', release)
    await work()
  } finally {
    release()
    process.removeListener('exit', release)
  }
}

function isStale(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    if (error.code === 'ENOENT') return existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 5000
    return error.code === 'ESRCH'
  }
}

/** Returns the folder of the npm package with the Node 24 on which Awaz runs. */
function ownNode() {
  return join(root, 'node_modules', `node-linux-${process.arch}`)
}

/**
 * Replaces this process as far as Node allows: same terminal, signals passed on, same exit status. A terminal's Ctrl-C reaches the
 * child both directly and through this process, a kill of this process only through it. Scripts treat a repeated signal as one.
 */
function run(args) {
  const child = spawn(join(ownNode(), 'bin', 'node'), args, { stdio: 'inherit', cwd: process.cwd() })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`Could not start Node 24: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

checkMachine()
/** A release folder or an image is complete and must not be built again. See scripts/release.ts. */
const isRelease = existsSync(join(root, 'RELEASE'))
const isReady = () => isRelease || (isInstalled() && isWhisperBuilt())
if (!isReady()) {
  await withInstallLock(async () => {
    if (!isInstalled()) install(findNpm())
    if (!existsSync(join(ownNode(), 'bin', 'node'))) {
      fail(`The package node-linux-${process.arch} is missing; run npm ci and try again.`)
    }
    if (!isWhisperBuilt()) await buildWhisper({ nodeDir: ownNode(), npm: findNpm(), fail })
  })
}
if (process.argv.length > 2) run(process.argv.slice(2))
