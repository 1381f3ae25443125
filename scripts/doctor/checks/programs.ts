import { AppError } from '#contract/app-error.ts'
import { access, constants } from 'node:fs/promises'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'ffmpeg.missing': {
    severity: 'problem',
    title: 'There is no ffmpeg that runs',
    why: 'No recording can be uploaded or transcribed.',
    remedy: 'apt-get install ffmpeg, or set FFMPEG_PATH to one.',
    command: 'apt-get install ffmpeg',
  },
  'ffmpeg.unsuitable': {
    severity: 'warning',
    title: 'FFMPEG_PATH names no ffmpeg that runs, or only the bundled one of 2018 was found',
    why: 'An old ffmpeg has known faults, and it reads files of strangers.',
    remedy: 'apt-get install ffmpeg, and correct or remove FFMPEG_PATH.',
    command: 'apt-get install ffmpeg',
  },
  'watch_folder.unusable': {
    severity: 'problem',
    title: 'WATCH_DIR cannot be read and written',
    why: 'Nothing is imported from it.',
    remedy: 'Create or mount the folder, and give it to the user that Awaz runs as (docs/watch-folder.md).',
  },
} as const

const finding = findingsOf(findings)

/** Checks ffmpeg, and the folder that recordings are imported from. */
export const programsCheck: Check = { name: 'ffmpeg and watch folder', findings, run }

async function run({ config, env }: HostContext): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    const { warning } = await findFfmpeg(env)
    if (warning !== undefined) found.push(finding('ffmpeg.unsuitable', warning))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    found.push(finding('ffmpeg.missing', error.message))
  }
  const folder = config.watchFolder?.folder
  if (folder === undefined) return found
  try {
    await access(folder, constants.R_OK | constants.W_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'
    found.push(finding('watch_folder.unusable', `${folder} cannot be used (${code}).`))
  }
  return found
}
