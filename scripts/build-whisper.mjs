// Builds the native addon over whisper.cpp (engine/speech/whisper-cpp/addon) and onnxruntime (engine/onnx/addon) for this
// machine. Takes whisper.cpp's sources from the tarball of the npm package whisper.rn, pinned by version and integrity: as a dependency it
// would pull in React Native. onnxruntime is loaded at run time: onnxruntime-api.h declares what is called.
// Plain JavaScript that runs under Node 20 before anything is installed: see bootstrap.mjs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)
const stateDir = join(root, 'node_modules', '.awaz')
const sourcesDir = join(stateDir, 'whisper-sources')
const addonDirs = ['engine/speech/whisper-cpp/addon', 'engine/onnx/addon'].map((path) => join(root, path))
const addon = join(stateDir, 'whisper.node')
const stamp = join(stateDir, 'whisper.json')

/** The package with the sources of whisper.cpp. */
export const sourcePackage = {
  spec: 'whisper.rn@0.7.4',
  integrity: 'sha512-9MyWFoRmUWHDHLhjm4dZgZzxG2fFNuClOPE/Ne5KXlm0vSi4It5oS2xZi9WfPEfUGHcgPMiVviv9t18zC4BSNw==',
}

/**
 * Sources in the package's folder `cpp`: whisper.cpp and the CPU backend of ggml, without the parts that these never call (gguf.cpp,
 * ggml-opt.cpp, detection of the CPU for backends that are loaded at run time, AMX).
 */
const commonSources = (
  'whisper.cpp ggml.c ggml-alloc.c ggml-quants.c ggml-cpu/ggml-cpu.c ggml-cpu/quants.c ggml-cpu/binary-ops.cpp ' +
  'ggml-cpu/vec.cpp ggml-cpu/ops.cpp'
).split(' ')
const sourcesByArch = {
  x64: ['ggml-cpu/arch/x86/quants.c', 'ggml-cpu/arch/x86/repack.cpp'],
  arm64: ['ggml-cpu/arch/arm/quants.c', 'ggml-cpu/arch/arm/repack.cpp'],
}
/**
 * Sources whose code runs while a model is loading, once per operation, or never for Whisper. Compiled as one file: most are shorter than
 * the headers they include.
 */
const coldSources = (
  'ggml.cpp ggml-threading.cpp ggml-backend.cpp ggml-backend-meta.cpp ggml-backend-reg.cpp ggml-backend-dl.cpp ' +
  'ggml-cpu/ggml-cpu.cpp ggml-cpu/traits.cpp ggml-cpu/repack.cpp ggml-cpu/unary-ops.cpp'
).split(' ')
/**
 * Sources that take longer to compile with -O3 but run as fast without it. whisper.cpp is not one of them: it computes spectra and
 * probabilities, it is 4% slower with -O1, and other levels change its results.
 */
const lowerLevels = { 'ggml.c': '-O1', 'ggml-alloc.c': '-O1', 'ggml-quants.c': '-O2', 'addon.cc': '-O1' }

/** CPU flags, as /proc/cpuinfo names them, that code built for x86-64-v3 needs. */
const v3Flags = ['avx', 'avx2', 'bmi1', 'bmi2', 'f16c', 'fma', 'abm', 'movbe']

function hasV3() {
  const line = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))
  const flags = new Set(line?.[1].trim().split(/\s+/))
  return v3Flags.every((flag) => flags.has(flag))
}

/**
 * Compiler flags for this machine. Never -march=native: an image built on one host must run on another, and code for AMX dies in many
 * virtual machines. An x86-64 host without AVX2 gets the plain build, which is about ten times slower and says so at startup.
 */
export function compilerFlags() {
  const common = '-O3 -D_GNU_SOURCE -DNDEBUG'
  if (process.arch !== 'x64') return common
  const target = process.env.AWAZ_MARCH ?? (hasV3() ? 'x86-64-v3' : 'x86-64')
  return `${common} -march=${target}`
}

function hashFile(path, algorithm = 'sha256', encoding = 'hex') {
  return createHash(algorithm).update(readFileSync(path)).digest(encoding)
}

function listSources(dir, pattern, options) {
  const names = readdirSync(dir, options).filter((name) => pattern.test(name))
  return names.toSorted().map((name) => join(dir, name))
}

function fingerprint() {
  const own = [...addonDirs.flatMap((dir) => listSources(dir, /\.(cc|h)$/, { recursive: true })), import.meta.filename]
  const sources = createHash('sha256')
    .update(own.map((path) => hashFile(path)).join())
    .digest('hex')
  return { whisper: sourcePackage.spec, flags: compilerFlags(), sources }
}

/** Whether the addon was built from these sources and for this CPU. */
export function isWhisperBuilt() {
  if (!existsSync(stamp) || !existsSync(addon)) return false
  try {
    const { sha256, ...built } = JSON.parse(readFileSync(stamp, 'utf8'))
    return JSON.stringify(built) === JSON.stringify(fingerprint()) && sha256 === hashFile(addon)
  } catch {
    return false
  }
}

/** Fetches the package once, checks it and unpacks its C and C++. Returns the reason for a failure, or undefined. */
function fetchSources(nodeDir, npm) {
  const marker = join(sourcesDir, 'integrity')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === sourcePackage.integrity) return undefined
  if (!npm) return 'npm was not found; install Node.js with npm, then run this again.'
  mkdirSync(stateDir, { recursive: true })
  const work = mkdtempSync(join(stateDir, 'fetch-'))
  try {
    const args = [npm, 'pack', sourcePackage.spec, '--ignore-scripts', '--loglevel=error', `--pack-destination=${work}`]
    const packed = spawnSync(join(nodeDir, 'bin', 'node'), args, { cwd: work, encoding: 'utf8' })
    const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'))
    if (packed.status !== 0 || !tarball) {
      return `The package ${sourcePackage.spec} could not be fetched; check that this machine reaches an npm registry.\n${packed.stderr}`
    }
    if (`sha512-${hashFile(join(work, tarball), 'sha512', 'base64')}` !== sourcePackage.integrity) {
      return `The package ${sourcePackage.spec} is not the one Awaz was tested with (its hash differs).`
    }
    const unpacked = spawnSync('tar', ['-xzf', tarball, 'package/cpp', 'package/LICENSE'], {
      cwd: work,
      encoding: 'utf8',
    })
    if (unpacked.status !== 0) return `tar could not unpack the package ${sourcePackage.spec}: ${unpacked.stderr}`
    rmSync(sourcesDir, { recursive: true, force: true })
    writeFileSync(join(work, 'package', 'integrity'), sourcePackage.integrity)
    renameSync(join(work, 'package'), sourcesDir)
    return undefined
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Compiles every source, one per CPU at a time. Resolves to the output of the first failure, or undefined. */
async function compileAll(jobs) {
  const waiting = [...jobs]
  let failure
  async function work() {
    for (let job = waiting.shift(); job && failure === undefined; job = waiting.shift()) {
      const failed = await runTool(job.command, job.args)
      failure ??= failed
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return failure
}

/** Runs a tool. Resolves to its output when it fails, else to undefined. */
function runTool(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? undefined : `${command} ${args.at(-1)}\n${output}`))
  })
}

function compileJobs(nodeDir, objectsDir) {
  const cpp = join(sourcesDir, 'cpp')
  const flags = [
    ...compilerFlags().split(' '),
    '-DWSP_GGML_USE_CPU',
    '-DWSP_GGML_USE_CPU_REPACK',
    // Makes ggml call the matrix product in addon/matmul.cc, which exists only for x86-64.
    ...(process.arch === 'x64' ? ['-DWSP_GGML_USE_LLAMAFILE'] : []),
    '-pthread',
    '-fPIC',
    '-w',
  ]
  const includes = [cpp, join(cpp, 'ggml-cpu'), ...addonDirs].map((dir) => `-I${dir}`)
  const job = (source, extra = []) => {
    const isC = source.endsWith('.c')
    const object = join(objectsDir, `${relative(root, source).replaceAll('/', '_')}.o`)
    const level = lowerLevels[basename(source)]
    const args = [
      isC ? '-std=c11' : '-std=c++17',
      '-fvisibility=hidden',
      ...flags,
      // The compiler uses the last -O level.
      ...(level ? [level] : []),
      ...includes,
      ...extra,
      '-c',
      '-o',
      object,
      source,
    ]
    return { command: isC ? 'gcc' : 'g++', args, object }
  }
  const engine = [...commonSources, ...(sourcesByArch[process.arch] ?? [])].map((name) => job(join(cpp, name)))
  const cold = join(objectsDir, 'cold.cpp')
  writeFileSync(cold, coldSources.map((name) => `#include "${name}"\n`).join(''))
  const napi = [join(nodeDir, 'include', 'node'), join(root, 'node_modules', 'node-addon-api')].map((dir) => `-I${dir}`)
  const own = addonDirs
    .flatMap((dir) => listSources(dir, /\.cc$/))
    .map((source) => job(source, [...napi, '-fexceptions', '-DNAPI_CPP_EXCEPTIONS']))
  return [...own, ...engine, job(cold, ['-O1'])]
}

/** Builds the addon, loads it once as a test, and stamps it. Calls `fail` with an explanation when that is impossible. */
export async function buildWhisper({ nodeDir, npm, fail }) {
  for (const tool of ['g++', 'gcc', 'tar']) {
    if (spawnSync(tool, ['--version']).status !== 0)
      return fail(`${tool} is needed to build Whisper; install it (Debian: apt-get install ${tool}).`)
  }
  const missing = fetchSources(nodeDir, npm)
  if (missing) return fail(missing)
  console.error(`Building Whisper for this machine (${compilerFlags()}), about a minute...`)
  const objectsDir = mkdtempSync(join(stateDir, 'objects-'))
  try {
    const jobs = compileJobs(nodeDir, objectsDir)
    const built = join(objectsDir, 'whisper.node')
    const link = ['-shared', '-pthread', ...jobs.map(({ object }) => object), '-ldl', '-o', built]
    const failure = (await compileAll(jobs)) ?? (await runTool('g++', link))
    if (failure) {
      console.error(failure.split('\n').slice(-40).join('\n'))
      return fail('Building Whisper failed; the end of the build log stands above.')
    }
    const check = `process.exit(typeof require(${JSON.stringify(built)}).load === 'function' ? 0 : 1)`
    const loaded = spawnSync(join(nodeDir, 'bin', 'node'), ['-e', check])
    if (loaded.status !== 0)
      return fail(`The Whisper that was built does not load on this machine (${loaded.signal ?? loaded.stderr}).`)
    renameSync(built, addon)
    writeFileSync(stamp, JSON.stringify({ ...fingerprint(), sha256: hashFile(addon) }))
  } finally {
    rmSync(objectsDir, { recursive: true, force: true })
  }
}
