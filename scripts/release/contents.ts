import { z } from 'zod'
import { resolves } from '../lockfile.mjs'

/** Files and folders that an installation needs. Models are listed individually, because operators keep theirs in the same folder. */
export const shippedPaths = [
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'docker/healthcheck.sh',
  'docker/monitoring',
  'docker/proxy',
  'docker/three-hosts',
  'docs',
  'engine',
  'models/catalog.json',
  'models/demo',
  'models/speakers',
  'models/vad',
  'packaging',
  'scripts',
  'server',
  'web/dist',
]

const leftOut = [
  /\.(test|coverage)\.[a-z]+$/,
  /(^|\/)testing(\/|$)/,
  /^engine\/(speech\/whisper-cpp|onnx)\/addon(\/|$)/,
  /^models\/vad\/silero_vad_v5\.onnx$/,
  /^server\/embedded-db\/conformance(\/|$)/,
  /^models\/demo\/(training|make-sample-call|sample-call-lines)/,
  /^packaging\/debian(\/|$)/,
  /^scripts\/(bench|chaos|check|embedded-db|hosts|image|models|mutants|release|screenshots|test-runs)(\/|$)/,
  /^scripts\/(bare-test|build|chaos|check|count|env-example|hosts|image-test|mutants|release|screenshots|test|test-endurance|texts|test-mongo)\.ts$/,
  /^scripts\/lockfile\.mjs$/,
]

/** Whether the file or folder at `path`, relative to the repository, is part of an installation. */
export function isShipped(path: string): boolean {
  return (
    shippedPaths.some((shipped) => path === shipped || path.startsWith(`${shipped}/`)) &&
    !leftOut.some((pattern) => pattern.test(path))
  )
}

/** Needed to build the Whisper addon, not to run it. */
const buildPackages = new Set(['node-addon-api'])

const LockEntry = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})
const Lock = z.object({ packages: z.record(z.string(), LockEntry) })

interface PackageOptions {
  /** A value of process.arch. */
  arch: string
  /** Whether the system has ffmpeg, so that the npm package with a build from 2018 is left out. */
  hasOwnFfmpeg: boolean
}

/** Lists the folders of the packages that an installation needs, such as `node_modules/koa`, from a parsed lockfile. */
export function listPackages(lockfile: unknown, { arch, hasOwnFfmpeg }: PackageOptions): string[] {
  const lock = Lock.parse(lockfile)
  const reached = new Set<string>()
  const queue = ['']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const entry = lock.packages[path]
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies })) {
      if (buildPackages.has(name) || isForeign(name, arch) || (hasOwnFfmpeg && isFfmpeg(name))) continue
      const target = resolves(lock, path, name)
      if (target !== undefined) queue.push(target)
    }
  }
  reached.delete('')
  return [...reached].toSorted()
}

/** Decides by name, because some packages for one processor declare support for the other too. */
function isForeign(name: string, arch: string): boolean {
  const built = /-(x64|arm64)(?:-gnu)?$/.exec(name)?.[1]
  return built !== undefined && built !== arch
}

/** ffmpeg-static downloads its file in an install script, which never runs here. */
function isFfmpeg(name: string): boolean {
  return name === 'ffmpeg-static' || name === '@ffmpeg-installer/ffmpeg'
}

const unusedPackageFiles = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  // Headers and manuals; npm itself is not in these packages.
  /^node_modules\/node-linux-[^/]+\/(include|share)(\/|$)/,
  // Sources of llama.cpp, for custom builds.
  /^node_modules\/node-llama-cpp\/llama\/gitRelease\.bundle$/,
]

/** Whether a file of an installed package is used at run time. */
export function isUsedPackageFile(path: string): boolean {
  return !unusedPackageFiles.some((pattern) => pattern.test(path))
}
