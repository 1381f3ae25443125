import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decodeAudio } from '#engine/audio/decode.ts'
import { hashFile } from '#engine/models/content-hash.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { whisperBaseOnnxModel } from '#engine/speech/onnx-whisper/testing/real-whisper-onnx.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { lacks } from '#testing/needs.ts'
import { realDataDir, realModelsDir, whisperCt2Dir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openCTranslate2Whisper } from '../ctranslate2.ts'
import { openGgmlWhisper } from '../ggml-whisper.ts'
import { writeOnnxWhisper } from './write-onnx-whisper.ts'

const ggmlBase = join(realModelsDir, 'ggml-base.bin')

describe.skipIf(lacks('whisperBase'))('Whisper base written for onnxruntime', () => {
  test.skipIf(lacks('whisperCt2'))('has the same bytes from the ggml file and from CTranslate2', async () => {
    const folder = await temporaryFolder()
    await writeOnnxWhisper(await openGgmlWhisper(ggmlBase), join(folder, 'ggml'))
    await writeOnnxWhisper(await openCTranslate2Whisper(whisperCt2Dir), join(folder, 'ct2'))
    for (const name of ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt']) {
      expect(await hashFile(join(folder, 'ggml', name), {})).toEqual(await hashFile(join(folder, 'ct2', name), {}))
    }
  })

  test.skipIf(lacks('recordings'))(
    'hears a clip as whisper.cpp does, with times of words',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder()
      await writeOnnxWhisper(await openGgmlWhisper(ggmlBase), join(folder, 'onnx'))
      const backends = createSpeechBackendCache({ threads: 1 })
      onTestFinished(() => backends.close())
      const decoded = await decodeAudio(join(realDataDir, 'speech', 'en-001.flac'), { workDir: folder })
      const model = { ...whisperBaseOnnxModel(), path: join(folder, 'onnx') }
      const { transcription, segments } = await transcribeRecording(decoded, { model, language: 'en', backends })
      expect(transcription).toBe('But, though on the whole, except in Italy, Gothic letter was most often used.')
      const starts = segments.flatMap(({ words = [] }) => words.map(({ start }) => start))
      expect(new Set(starts).size).toBe(transcription.split(' ').length)
    },
  )
})
