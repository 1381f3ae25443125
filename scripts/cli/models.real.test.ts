import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { realDataDir, realModelsDir } from '#testing/real-data.ts'
import { lacks } from '#testing/needs.ts'

const minutes = 60_000
const hasExactInt8 = await hasExactInt8Here()

/** Runs the command line in a separate process, as a user would. */
function awaz(modelsDir: string, ...args: string[]): string {
  return awazWith({}, modelsDir, ...args)
}

function awazWith(changes: NodeJS.ProcessEnv, modelsDir: string, ...args: string[]): string {
  const env = { ...process.env, MODELS_DIR: modelsDir, ...changes }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/awaz.ts', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe.skipIf(lacks('whisperBase', 'recordings'))('a Whisper that faster-whisper uses', () => {
  /** The model is installed here once: no test changes what another one reads. */
  let modelsDir: string
  let imported: string

  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'awaz-imported-'))
    // Neither Python nor anything else is on this path.
    const env = { PATH: modelsDir }
    imported = awazWith(env, modelsDir, 'models', 'import', join(realModelsDir, 'whisper-base-ct2'))
  }, 10 * minutes)
  afterAll(() => rm(modelsDir, { recursive: true, force: true }))

  test.runIf(hasExactInt8)(
    'runs in its fast form in a fresh installation after one command, without any other program, and the list says why',
    async () => {
      expect(imported).toContain('It is used for all languages from the next job on')
      const why = /^ +Where it is chosen, whisper-base-ct2, ONNX runs: 0\.\d+ instead of 0\.\d+ CPU s/mu
      expect(awaz(modelsDir, 'models', 'list', 'whisper-base-ct2')).toMatch(why)
      const verified = awaz(modelsDir, 'models', 'verify', 'whisper-base-ct2')
      expect(verified).toMatch(
        /engine +whisper\.cpp[^]*other form +whisper-base-ct2-onnx: [^]*used here +whisper-base-ct2-onnx/u,
      )
      const models = await chooseModels(readConfig({ ...process.env, MODELS_DIR: modelsDir, SPEECH_MODEL: '' }))
      expect(models.speech.id).toBe('whisper-base-ct2-onnx')
    },
    10 * minutes,
  )

  test(
    'becomes a Persian transcript in the three commands of docs/models.md',
    () => {
      const clip = join(realDataDir, 'speech', 'fa-004.flac')
      expect(imported).toContain('"whisper-base-ct2"')
      awaz(modelsDir, 'models', 'use', 'whisper-base-ct2', '--language', 'fa')
      // The speech begins with "salaam"; this model, the smallest, lengthens the vowel.
      expect(awaz(modelsDir, 'transcribe', clip, '--language', 'fa')).toMatch(/Speaker A +fa +سا?لام/u)
    },
    10 * minutes,
  )
})
