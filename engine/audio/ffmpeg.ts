import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

import { AppError } from '#contract/app-error.ts'
import { readSetting } from '#data/config.ts'

export type FfmpegSource = 'FFMPEG_PATH' | 'PATH' | 'ffmpeg-static' | '@ffmpeg-installer'

export interface Ffmpeg {
  path: string
  version: string
  source: FfmpegSource
  /** For the operator: the configured ffmpeg does not run, or only an old version was found. */
  warning?: string
}

const searches = new Map<string, Promise<Ffmpeg>>()

/**
 * Returns the ffmpeg to use: `FFMPEG_PATH`, `ffmpeg` on the PATH, or the one in the packages ffmpeg-static and @ffmpeg-installer.
 * Each candidate must run with `-version`; the result is cached for the life of the process. Throws `unavailable` if none runs.
 */
export function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<Ffmpeg> {
  const configuredPath = readSetting('FFMPEG_PATH', env)
  const key = JSON.stringify([configuredPath, env.PATH])
  const known = searches.get(key)
  if (known) return known
  const search = searchFfmpeg(configuredPath, env)
  searches.set(key, search)
  // Failures are not cached: ffmpeg may be installed while the engine runs.
  search.catch(() => searches.delete(key))
  return search
}

async function searchFfmpeg(configuredPath: string | undefined, env: NodeJS.ProcessEnv): Promise<Ffmpeg> {
  for (const { source, path } of candidates(configuredPath)) {
    const version = await readVersion(path, env)
    if (version) return { path, version, source, warning: warningFor(source, configuredPath) }
  }
  throw new AppError('unavailable', 'Audio cannot be read: no working ffmpeg was found.', {
    help: 'Install ffmpeg (for example "apt-get install ffmpeg") or set FFMPEG_PATH to it.',
  })
}

function candidates(configuredPath: string | undefined): { source: FfmpegSource; path: string }[] {
  const all: { source: FfmpegSource; path: string | undefined }[] = [
    { source: 'FFMPEG_PATH', path: configuredPath },
    { source: 'PATH', path: 'ffmpeg' },
    { source: 'ffmpeg-static', path: resolveStatic() },
    { source: '@ffmpeg-installer', path: resolveInstaller() },
  ]
  return all.flatMap(({ source, path }) => (path ? [{ source, path }] : []))
}

async function readVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-version'], { env, timeout: 10_000, killSignal: 'SIGKILL' })
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

function warningFor(source: FfmpegSource, configuredPath: string | undefined): string | undefined {
  const notes = []
  if (configuredPath && source !== 'FFMPEG_PATH') {
    notes.push(`FFMPEG_PATH (${configuredPath}) is not a working ffmpeg; another one is used.`)
  }
  if (source === '@ffmpeg-installer') {
    notes.push(
      'Using the ffmpeg of 2018 from @ffmpeg-installer (GPL); install a current ffmpeg for untrusted recordings.',
    )
  }
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** Returns the file that the install script of ffmpeg-static downloads; absent where install scripts are disabled. */
function resolveStatic(): string | undefined {
  return resolveOrUndefined(() => createRequire(import.meta.url).resolve('ffmpeg-static/ffmpeg'))
}

/** Resolves the platform's package itself, because the entry point throws a string on an unknown platform. */
function resolveInstaller(): string | undefined {
  return resolveOrUndefined(() => {
    const entry = createRequire(import.meta.url).resolve('@ffmpeg-installer/ffmpeg')
    return createRequire(entry).resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/ffmpeg`)
  })
}

function resolveOrUndefined(resolve: () => string): string | undefined {
  try {
    return resolve()
  } catch {
    return undefined
  }
}
