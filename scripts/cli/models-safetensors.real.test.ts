import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { realDataDir } from '#testing/real-data.ts'
import { writeRealHuggingFaceFolder } from '#testing/real-whisper-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const root = dirname(dirname(import.meta.dirname))
const clip = join(realDataDir, 'speech', 'fa-003.flac')

/** What `npm run awaz --` prints, with its own models folder and no setting that names a model. */
async function awaz(modelsDir: string, ...args: string[]): Promise<string> {
  const unset = { SPEECH_MODEL: '', SPEECH_MODEL_BY_LANGUAGE: '', SPEECH_SERVERS: '' }
  const env = { ...process.env, ...unset, MODELS_DIR: modelsDir, ENGINE_THREADS: '1' }
  const command = [join(root, 'scripts/awaz.ts'), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, cwd: root })
  return stdout
}

describe.skipIf(lacks('whisperBase', 'recordings'))('a Hugging Face folder of Whisper base', () => {
  test.skipIf(lacks('whisperCt2'))('becomes a Persian transcript in three commands', async () => {
    const modelsDir = await temporaryFolder()
    const folder = join(await temporaryFolder(), 'whisper')
    await writeRealHuggingFaceFolder(folder)
    const imported = await awaz(modelsDir, 'models', 'import', folder, '--id', 'ours')
    expect(imported).toContain('is installed as "ours"')
    await awaz(modelsDir, 'models', 'use', 'ours', '--language', 'fa')
    const transcript = await awaz(modelsDir, 'transcribe', clip, '--language', 'fa')
    // What is said begins with "salaam"; the smallest weights draw it out in 8 bits.
    expect(transcript).toMatch(/سا?لام/)
    expect(transcript).not.toContain('demo')
  })
})
