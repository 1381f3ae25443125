import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SherpaFamilyName } from '#engine/models/sherpa-families.ts'
import { SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { startSherpa } from './start-sherpa.ts'

/** Returns a network of three tokens; testing/toy-ctc/make.py documents which samples produce which token. */
function toyModel(): SherpaSpeechModel {
  const sherpa = { family: 'omnilingual', files: { model: { name: 'model.onnx' }, tokens: { name: 'tokens.txt' } } }
  const entry = SpeechModelEntry.parse({
    kind: 'speech',
    id: 'toy-ctc',
    name: 'Toy CTC',
    file: 'toy-ctc',
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'MIT',
    languages: ['ps'],
    sherpa,
  })
  if (!entry.sherpa) throw new Error('The entry is for another engine')
  return { ...entry, sherpa: entry.sherpa, path: join(import.meta.dirname, 'testing', 'toy-ctc') }
}

async function start(): Promise<SpeechBackend> {
  const backend = await startSherpa({ model: toyModel(), threads: () => 1 })
  onTestFinished(() => backend.close())
  return backend
}

function transcribe(backend: SpeechBackend, samples: Float32Array) {
  return backend.transcribe(samples, { language: 'ps', decoding: decodingFor(toyModel(), 'ps') })
}

test('a CTC model returns words with the times of their tokens, split into segments at pauses', async () => {
  const samples = new Float32Array(48_000)
  samples.fill(0.5, 16_000, 16_320).fill(-0.5, 16_320, 16_640).fill(0.5, 19_200, 19_520).fill(0.5, 40_000, 40_320)
  const transcribed = await transcribe(await start(), samples)
  expect(transcribed.isComplete).toBe(true)
  expect(transcribed.segments.map(({ text }) => text)).toEqual(['cb c', 'c'])
  expect(transcribed.segments[0]?.words).toEqual([
    { text: 'cb', startMs: 1000, endMs: 1200, confidence: null },
    { text: 'c', startMs: 1200, endMs: 1440, confidence: null },
  ])
  expect(transcribed.segments[1]).toMatchObject({ startMs: 2500, meanLogProbability: null, noSpeechProbability: null })
})

test('returns no segments for silence, one sample, no samples and NaN', async () => {
  const backend = await start()
  const broken = new Float32Array(16_000).fill(Number.NaN)
  for (const samples of [new Float32Array(16_000), new Float32Array(1), new Float32Array(), broken]) {
    expect((await transcribe(backend, samples)).segments).toEqual([])
  }
})

test('a CTC model has no language detection and no prompt', async () => {
  expect((await start()).capabilities).toMatchObject({
    engine: 'sherpa-onnx 1.13.8',
    hasBeamSearch: false,
    hasPrompt: false,
    hasLanguageDetection: false,
    hasAudioContext: false,
    hasWordTimes: true,
  })
})

test.each<[SherpaFamilyName, string]>([
  ['omnilingual', 'omnilingual=OfflineOmnilingualAsrCtcModelConfig(model="/m/model")'],
  ['dolphin', 'dolphin=OfflineDolphinModelConfig(model="/m/model")'],
  ['sense-voice', 'sense_voice=OfflineSenseVoiceModelConfig(model="/m/model", language="en", use_itn=True)'],
  [
    'whisper',
    'whisper=OfflineWhisperModelConfig(encoder="/m/encoder", decoder="/m/decoder", language="en", task="transcribe", ' +
      'tail_paddings=200, enable_token_timestamps=True, enable_segment_timestamps=True, )',
  ],
  [
    'qwen3-asr',
    'qwen3_asr=OfflineQwen3ASRModelConfig(conv_frontend="/m/convFrontend", encoder="/m/encoder", decoder="/m/decoder", ' +
      'tokenizer="/m", hotwords="", max_total_len=1024, max_new_tokens=448,',
  ],
])('sherpa-onnx reads every setting of the family %s', (family, expected) => {
  const script = join(import.meta.dirname, 'testing', 'print-config.ts')
  const { stderr } = spawnSync(process.execPath, [script, family], { encoding: 'utf8' })
  expect(stderr).toContain(expected)
  expect(stderr).toContain('num_threads=3')
})
