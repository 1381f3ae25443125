import { afterAll, expect, test } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createSpeechBackendCache } from './speech-backend-cache.ts'
import { countKeptMarks } from './testing/kept-marks.ts'
import { decodeSampleCall } from './testing/sample-call.ts'
import { transcribeRecording, type TranscribeOptions } from './transcribe.ts'

const backends = createSpeechBackendCache({ threads: 1 })
afterAll(() => backends.close())

type Settings = Pick<TranscribeOptions, 'language'> & { oneSpanPerWindow: boolean }

async function transcribe(call: DecodedAudio, { oneSpanPerWindow, ...options }: Settings): Promise<Segment[]> {
  const model = { ...(await findSpeechModel('demo-speech')), oneSpanPerWindow }
  return (await transcribeRecording(call, { model, backends, ...options })).segments
}

test.each<[string, Settings]>([
  ['in windows of several lines', { language: ['ps', 'en'], oneSpanPerWindow: false }],
  ['with detected languages', { language: 'auto', oneSpanPerWindow: true }],
  ['in one language', { language: 'ps', oneSpanPerWindow: false }],
  ['with the language of every utterance', { language: 'multi', oneSpanPerWindow: false }],
])('what was verified stays verified where a transcription %s has the same words', async (_name, settings) => {
  const { decoded } = await decodeSampleCall(await temporaryFolder())
  const first = await transcribe(decoded, { language: ['ps', 'en'], oneSpanPerWindow: true })
  const { sameCount, keptCount, wrongCount } = countKeptMarks(first, await transcribe(decoded, settings))
  expect(sameCount).toBeGreaterThan(first.length / 2)
  expect(keptCount / sameCount).toBeGreaterThanOrEqual(0.95)
  expect(wrongCount).toBe(0)
})
