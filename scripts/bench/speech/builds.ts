import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startWhisper } from '#engine/speech/whisper.ts'
import { noise } from '#testing/audio.ts'

export interface BuildFigures {
  /** CPU time of one 30 s window in each round. */
  fastMs: number[]
  defaultMs: number[]
}

/**
 * CPU time of the same 30 s window and 60 tokens in the build in use and in the one npm makes of smart-whisper by itself, taking
 * turns on one thread. The latter is built in `workDir`, in about a minute.
 */
export async function measureBuilds(
  model: SpeechModel,
  { workDir, rounds, onProgress }: { workDir: string; rounds: number; onProgress: (text: string) => void },
): Promise<BuildFigures> {
  onProgress('building smart-whisper as npm does')
  const addonPath = await buildDefault(workDir)
  const fast = await startWhisper({ model, threads: () => 1 })
  const slow = await startWhisper({ model, threads: () => 1, addonPath })
  const figures: BuildFigures = { fastMs: [], defaultMs: [] }
  const samples = noise(30_000, { db: -20 })
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [whisper, times] of [
        [fast, figures.fastMs],
        [slow, figures.defaultMs],
      ] as const) {
        const before = whisper.cpuMs()
        await whisper.transcribe(samples, { language: 'en', maxTokens: 60 })
        // The first round starts the processes and loads the model.
        if (round > 0) times.push(whisper.cpuMs() - before)
      }
      onProgress(`round ${round} of ${rounds}`)
    }
  } finally {
    await Promise.all([fast.close(), slow.close()])
  }
  return figures
}

/** Builds a copy of smart-whisper with the flags npm uses and answers the addon's path. */
async function buildDefault(workDir: string): Promise<string> {
  // npm sets it for every script it runs.
  const nodeGyp = process.env.npm_config_node_gyp
  if (!nodeGyp) throw new AppError('unavailable', 'This part needs npm: run it as "npm run bench -- speech --builds".')
  const source = dirname(createRequire(import.meta.url).resolve('smart-whisper/package.json'))
  const copy = join(workDir, 'smart-whisper')
  await cp(source, copy, { recursive: true, filter: (path) => path !== join(source, 'build') })
  const nodeDir = dirname(dirname(process.execPath))
  const { CFLAGS: _, CXXFLAGS: __, ...env } = process.env
  const build = spawn(process.execPath, [nodeGyp, 'rebuild', `--nodedir=${nodeDir}`], {
    cwd: copy,
    // "cpu" is what it falls back to, except where half of an OpenBLAS is installed, and then it does not link.
    env: { ...env, COMPUTE_BACKEND: 'cpu' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  build.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4000)))
  const [code] = await once(build, 'close')
  if (code !== 0) throw new Error(`node-gyp failed:\n${stderr}`)
  return join(copy, 'build', 'Release', 'smart-whisper.node')
}
