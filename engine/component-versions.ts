import type { Logger } from 'pino'
import type { ComponentVersion } from '#contract/entities/engine.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { speechEngines } from './models/speech-engines.ts'
import { llamaVersion } from './translation/llama-version.ts'

/** Returns the versions of this engine's components. Logs an outdated or missing ffmpeg at startup, not at the first recording. */
export async function readComponentVersions(log: Logger): Promise<ComponentVersion[]> {
  return [
    { name: 'Node.js', version: process.versions.node },
    { name: 'ffmpeg', version: await checkFfmpeg(log) },
    ...Object.values(speechEngines).map((engine) => {
      const [name = engine, version = null] = engine.split(' ')
      return { name, version }
    }),
    { name: 'llama.cpp', version: llamaVersion },
  ]
}

async function checkFfmpeg(log: Logger): Promise<string | null> {
  try {
    const { warning, version } = await findFfmpeg()
    if (warning) log.warn({ version }, warning)
    return version
  } catch (error) {
    log.error({ err: error }, 'no recording can be decoded')
    return null
  }
}
