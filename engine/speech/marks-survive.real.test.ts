import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { lacks } from '#testing/needs.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { buildThreeVoices } from '#testing/three-voices.ts'
import { whisperBaseOnnxModel } from './onnx-whisper/testing/real-whisper-onnx.ts'
import { createSpeechBackendCache } from './speech-backend-cache.ts'
import { countKeptMarks } from './testing/kept-marks.ts'
import { transcribeRecording, type TranscribeOptions } from './transcribe.ts'

const backends = createSpeechBackendCache({ threads: 1 })
afterAll(() => backends.close())

type Settings = Pick<TranscribeOptions, 'language'> & { oneSpanPerWindow: boolean }

async function transcribe(decoded: DecodedAudio, { oneSpanPerWindow, ...options }: Settings): Promise<Segment[]> {
  const model = { ...whisperBaseOnnxModel(), oneSpanPerWindow }
  return (await transcribeRecording(decoded, { model, backends, ...options })).segments
}

describe.skipIf(lacks('whisperOnnx', 'readers', 'ffmpeg'))('readers', () => {
  test('lines stay verified where another transcription has their words', { timeout: 600_000 }, async () => {
    const workDir = await temporaryFolder()
    await buildThreeVoices(join(workDir, 'three.wav'), { turns: 6 })
    const decoded = await decodeAudio(join(workDir, 'three.wav'), { workDir })
    const first = await transcribe(decoded, { language: 'en', oneSpanPerWindow: false })
    const second = await transcribe(decoded, { language: 'auto', oneSpanPerWindow: true })
    const { sameCount, keptCount, wrongCount } = countKeptMarks(first, second)
    expect(sameCount).toBeGreaterThan(3)
    expect(keptCount / sameCount).toBeGreaterThanOrEqual(0.95)
    expect(wrongCount).toBe(0)
  })
})
