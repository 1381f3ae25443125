import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDataDir, realModelsDir } from '#testing/real-data.ts'
import { lacks } from '#testing/needs.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const minutes = 60_000

/** The command line as a person calls it, in a process of its own. */
function awaz(modelsDir: string, ...args: string[]): string {
  const env = { ...process.env, MODELS_DIR: modelsDir }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/awaz.ts', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe.skipIf(lacks('whisperBase', 'recordings'))('a Whisper that faster-whisper uses', () => {
  test(
    'becomes a Persian transcript in the three commands of docs/models.md',
    async () => {
      const modelsDir = await temporaryFolder()
      const clip = join(realDataDir, 'speech', 'fa-004.flac')
      expect(awaz(modelsDir, 'models', 'import', join(realModelsDir, 'whisper-base-ct2'))).toContain(
        '"whisper-base-ct2"',
      )
      awaz(modelsDir, 'models', 'use', 'whisper-base-ct2', '--language', 'fa')
      // What is said begins with "salaam"; this smallest of the models draws it out.
      expect(awaz(modelsDir, 'transcribe', clip, '--language', 'fa')).toMatch(/Speaker A +fa +سا?لام/u)
    },
    10 * minutes,
  )
})
