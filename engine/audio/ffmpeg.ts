import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

import { AppError } from '#contract/app-error.ts'

export type FfmpegSource = 'FFMPEG_PATH' | 'PATH' | 'ffmpeg-static' | '@ffmpeg-installer'

export interface Ffmpeg {
  path: string
  version: string
  source: FfmpegSource
  /** A sentence for the operator: the configured one does not run, or only an old one was found. */
  warning?: string
}

const found = new Map<string, Promise<Ffmpeg>>()

/**
 * The ffmpeg to use: `FFMPEG_PATH`, `ffmpeg` on the PATH, then what the packages ffmpeg-static and @ffmpeg-installer brought.
 * Each candidate is run with `-version` before it is trusted; the answer is kept for the life of the process.
 * Fails with `unavailable` where none runs.
 */
export function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<Ffmpeg> {
  const key = JSON.stringify([env.FFMPEG_PATH, env.PATH])
  const known = found.get(key)
  if (known) return known
  const search = searchFfmpeg(env)
  found.set(key, search)
  // A failure is not kept: ffmpeg may be installed while the engine runs.
  search.catch(() => found.delete(key))
  return search
}

async function searchFfmpeg(env: NodeJS.ProcessEnv): Promise<Ffmpeg> {
  for (const { source, path } of candidates(env)) {
    const version = await readVersion(path, env)
    if (version) return { path, version, source, warning: warningFor(source, env) }
  }
  throw new AppError('unavailable', 'Audio cannot be read: no working ffmpeg was found.', {
    help: 'Install ffmpeg (for example "apt-get install ffmpeg") or set FFMPEG_PATH to it.',
  })
}

function candidates(env: NodeJS.ProcessEnv): { source: FfmpegSource; path: string }[] {
  const all: { source: FfmpegSource; path: string | undefined }[] = [
    { source: 'FFMPEG_PATH', path: env.FFMPEG_PATH },
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

function warningFor(source: FfmpegSource, env: NodeJS.ProcessEnv): string | undefined {
  const notes = []
  if (env.FFMPEG_PATH && source !== 'FFMPEG_PATH') {
    notes.push(`FFMPEG_PATH (${env.FFMPEG_PATH}) is not a working ffmpeg; another one is used.`)
  }
  if (source === '@ffmpeg-installer') {
    notes.push(
      'Using the ffmpeg of 2018 from @ffmpeg-installer (GPL); install a current ffmpeg for untrusted recordings.',
    )
  }
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** The file that ffmpeg-static's install script downloads; absent where that script may not run. */
function resolveStatic(): string | undefined {
  return resolveOrUndefined(() => createRequire(import.meta.url).resolve('ffmpeg-static/ffmpeg'))
}

/** Resolved by hand, because the package's own entry throws a string on a platform it does not know. */
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
