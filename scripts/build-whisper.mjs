// Builds the native addon of smart-whisper. npm's own build of it uses no AVX and is about ten times slower, so npm never
// builds it here (.npmrc) and a build without our stamp counts as none.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const whisperDir = join(root, 'node_modules', 'smart-whisper')
const addon = join(whisperDir, 'build', 'Release', 'smart-whisper.node')
const stamp = join(root, 'node_modules', '.awaz', 'whisper.json')

/** CPU flags, as /proc/cpuinfo names them, that code built for x86-64-v3 needs. */
const v3Flags = ['avx', 'avx2', 'bmi1', 'bmi2', 'f16c', 'fma', 'abm', 'movbe']

function hasV3() {
  const line = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))
  const flags = new Set(line?.[1].trim().split(/\s+/))
  return v3Flags.every((flag) => flags.has(flag))
}

/**
 * smart-whisper leaves whisper.cpp's context parameters uninitialised, so that flash attention and others are whatever lies on the
 * stack; compilers that can (g++ 12, clang 16) set such variables to zero, which is off.
 */
const zeroInit = '-ftrivial-auto-var-init=zero'

function canZeroInit() {
  return spawnSync('g++', [zeroInit, '-fsyntax-only', '-x', 'c++', '/dev/null']).status === 0
}

/**
 * Compiler flags for this machine. Never -march=native: an image built on one host must run on another.
 * A host of x86-64 without AVX2 gets the plain build, which is about ten times slower and says so at start.
 */
export function compilerFlags() {
  if (process.arch !== 'x64') return '-O3 -D_GNU_SOURCE'
  const target = process.env.AWAZ_MARCH ?? (hasV3() ? 'x86-64-v3' : 'x86-64')
  return `-O3 -march=${target} -D_GNU_SOURCE`
}

/** Raised when the build below changes, so that older builds are made again. */
const recipe = 2

function fingerprint(nodeDir) {
  const version = (dir) => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version
  return { whisper: version(whisperDir), node: version(nodeDir), flags: compilerFlags(), recipe }
}

function hashFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Whether the addon in place is the one built here, for this Node and this CPU. */
export function isWhisperBuilt(nodeDir) {
  if (!existsSync(stamp) || !existsSync(addon)) return false
  try {
    const { sha256, ...built } = JSON.parse(readFileSync(stamp, 'utf8'))
    return JSON.stringify(built) === JSON.stringify(fingerprint(nodeDir)) && sha256 === hashFile(addon)
  } catch {
    return false
  }
}

/** The node-gyp that came with npm. */
function findNodeGyp(npm) {
  const path = npm && join(dirname(npm), '..', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js')
  return path && existsSync(path) ? path : undefined
}

/** Builds the addon, loads it once to see that it runs here, and stamps it. Calls `fail` with a sentence otherwise. */
export function buildWhisper({ nodeDir, npm, fail }) {
  const nodeGyp = findNodeGyp(npm)
  if (!nodeGyp) return fail('npm with its node-gyp was not found; install Node.js with npm, then run this again.')
  for (const [tool, hint] of [
    ['g++', 'g++'],
    ['make', 'make'],
    ['python3', 'python3'],
  ]) {
    if (spawnSync(tool, ['--version']).status !== 0)
      return fail(`${tool} is needed to build Whisper; install it (Debian: apt-get install ${hint}).`)
  }
  const flags = canZeroInit() ? `${compilerFlags()} ${zeroInit}` : compilerFlags()
  console.error(`Building Whisper for this machine (${flags}), under a minute...`)
  const node = join(nodeDir, 'bin', 'node')
  const built = spawnSync(node, [nodeGyp, 'rebuild', `--nodedir=${nodeDir}`, '-j', 'max'], {
    cwd: whisperDir,
    env: { ...process.env, COMPUTE_BACKEND: 'cpu', CFLAGS: flags, CXXFLAGS: flags, npm_config_nodedir: nodeDir },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (built.status !== 0) {
    console.error((built.stdout + built.stderr).split('\n').slice(-40).join('\n'))
    return fail('Building Whisper failed; the end of the build log stands above.')
  }
  const loaded = spawnSync(node, ['-e', `process.exit(typeof require(${JSON.stringify(addon)}) === 'object' ? 0 : 1)`])
  if (loaded.status !== 0)
    return fail(`The Whisper that was built does not load on this machine (${loaded.signal ?? loaded.stderr}).`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, JSON.stringify({ ...fingerprint(nodeDir), sha256: hashFile(addon) }))
}
