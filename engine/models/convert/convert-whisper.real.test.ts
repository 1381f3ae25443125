import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TranscriptionLanguage } from '#contract/languages.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { lacks } from '#testing/needs.ts'
import { readGgmlContents } from '#testing/ggml-contents.ts'
import { realDataDir, realModelsDir, whisperCt2Dir } from '#testing/real-data.ts'
import { writeRealHuggingFaceFolder } from '#testing/real-whisper-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel } from '../catalog.ts'
import { convertWhisper } from './convert-whisper.ts'

/**
 * One clip each in English and Arabic is enough, because another test compares the weights one by one. CONVERTED_CLIPS=5 makes it five
 * in each of four languages.
 */
const clips = process.env.CONVERTED_CLIPS
  ? Object.entries({ en: 'en', ar: 'ar', fa: 'fa', prs: 'fa' } as const).flatMap(([corpus, language]) =>
      Array.from({ length: Number(process.env.CONVERTED_CLIPS) }, (_, index) => makeClip(corpus, index + 1, language)),
    )
  : [makeClip('en', 7, 'en'), makeClip('ar', 8, 'ar')]

function makeClip(corpus: string, number: number, language: TranscriptionLanguage) {
  return { path: join(realDataDir, 'speech', `${corpus}-${String(number).padStart(3, '0')}.flac`), language }
}

/** Returns the text of every clip; loads the weights once. */
async function transcribeClips(path: string): Promise<string[]> {
  const model = { ...(await findSpeechModel('whisper-base', realModelsDir)), path }
  const backends = createSpeechBackendCache({ threads: 1 })
  onTestFinished(() => backends.close())
  const texts: string[] = []
  for (const clip of clips) {
    const decoded = await decodeAudio(clip.path, { workDir: await temporaryFolder() })
    const unchecked = { ...model, sizeBytes: null, sha1: null, sha256: null }
    const result = await transcribeRecording(decoded, { model: unchecked, language: clip.language, backends })
    texts.push(result.transcription)
  }
  return texts
}

describe.skipIf(lacks('whisperBase', 'recordings'))('Whisper base', () => {
  describe.skipIf(lacks('whisperCt2'))('converted from CTranslate2', () => {
    let workDir: string
    let converted: string
    beforeAll(async () => {
      workDir = await mkdtemp(join(tmpdir(), 'awaz-converted-'))
      converted = join(workDir, 'converted.bin')
      await convertWhisper(whisperCt2Dir, converted)
    })
    afterAll(() => rm(workDir, { recursive: true, force: true }))

    test('has every weight and token of the ggml file', async () => {
      const [written, expected] = [
        await readGgmlContents(converted),
        await readGgmlContents(join(realModelsDir, 'ggml-base.bin')),
      ]
      expect(written.header).toEqual(expected.header)
      expect(Buffer.concat(written.words).equals(Buffer.concat(expected.words))).toBe(true)
      expect(written.words.map(({ length }) => length)).toEqual(expected.words.map(({ length }) => length))
      expect([...written.tensors.keys()]).toEqual([...expected.tensors.keys()])
      for (const [name, { type, dims, data }] of expected.tensors) {
        const tensor = written.tensors.get(name)
        expect([name, tensor?.type, tensor?.dims, tensor?.data.equals(data)]).toEqual([name, type, dims, true])
      }
      // The ggml file's filters were computed in double precision throughout.
      const differences = written.filters.map((value, at) => Math.abs(value - (expected.filters[at] ?? 0)))
      expect(Math.max(...differences)).toBeLessThan(1e-8)
    })

    test('converts to the same bytes as its Hugging Face folder', async () => {
      const folder = await temporaryFolder()
      await writeRealHuggingFaceFolder(folder)
      const written = join(folder, 'converted.bin')
      await convertWhisper(folder, written)
      expect((await readFile(written)).equals(await readFile(converted))).toBe(true)
    })

    test(
      `gives word for word the text of the ggml file on ${clips.length} clips`,
      { timeout: 90_000 * clips.length },
      async () => {
        const texts = await transcribeClips(converted)
        expect(texts).toEqual(await transcribeClips(join(realModelsDir, 'ggml-base.bin')))
        expect(texts.every((text) => text !== '')).toBe(true)
      },
    )
  })
})
