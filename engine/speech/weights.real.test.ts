import { copyFile, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { silence, writeWav } from '#testing/audio.ts'
import { lacks } from '#testing/needs.ts'
import { realDataDir, realModelsDir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { transcribeRecording } from './transcribe.ts'

const clip = join(realDataDir, 'speech', 'en-001.flac')

/** Returns the catalog's Whisper base with a different file, whose size and hashes are unknown. */
async function withWeights(path: string): Promise<SpeechModel> {
  return { ...(await findSpeechModel('whisper-base', realModelsDir)), path, sizeBytes: null, sha1: null, sha256: null }
}

async function transcribe(path: string, model: SpeechModel) {
  const decoded = await decodeAudio(path, { workDir: await temporaryFolder() })
  return transcribeRecording(decoded, { model, language: 'en', threads: 1 })
}

describe.skipIf(lacks('whisperBase', 'recordings'))('weights of Whisper base', () => {
  const real = join(realModelsDir, 'ggml-base.bin')

  async function copy(): Promise<string> {
    const path = join(await temporaryFolder(), 'weights.bin')
    await copyFile(real, path)
    return path
  }

  test.each([
    ['empty', 0],
    ['cut inside the header', 30],
    ['cut inside the vocabulary', 300_000],
    ['cut inside the weights', 100_000_000],
    ['cut by a byte', 147_951_464],
  ])('that are %s are rejected with a message', async (_, bytes) => {
    const path = await copy()
    await truncate(path, bytes)
    await expect(transcribe(clip, await withWeights(path))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The file \S+weights\.bin of the model .+\.$/),
    })
  })

  test.each([
    ['a recording', clip],
    ['a model of another format', join(realModelsDir, 'gemma-3-270m-q4_k_m.gguf')],
  ])('that are %s are rejected with a message', async (_, path) => {
    await expect(transcribe(clip, await withWeights(path))).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  test('that were replaced after they had been in use are rejected with a message', async () => {
    const path = await copy()
    const model = await withWeights(path)
    expect((await transcribe(clip, model)).transcription).not.toBe('')
    await writeFile(path, 'something else')
    await expect(transcribe(clip, model)).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  test('that are NaN end in an error or a warning', async () => {
    const path = await copy()
    const name = 'decoder.token_embedding.weight'
    const start = (await readFile(path)).indexOf(name) + name.length
    await using file = await open(path, 'r+')
    await file.write(Buffer.alloc(4_000_000, 0xff), 0, 4_000_000, start)
    const sentence = await transcribe(clip, await withWeights(path)).then(
      ({ warnings }) => warnings[0]?.message,
      (error: unknown) => (error instanceof AppError ? error.message : undefined),
    )
    expect(sentence).toEqual(expect.any(String))
  })
})

describe.skipIf(lacks('whisperBase', 'recordings'))('recordings of every length', () => {
  test.each([10, 100, 990, 29_990, 31_000])('%i ms of silence hold no words', async (ms) => {
    const path = join(await temporaryFolder(), 'silence.wav')
    await writeWav(path, [silence(ms)])
    const result = await transcribe(path, await withWeights(join(realModelsDir, 'ggml-base.bin')))
    expect(result.transcription).toBe('')
  })
})
