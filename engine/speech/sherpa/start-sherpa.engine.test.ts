import { spawnSync } from 'node:child_process'
import { cp, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SherpaEngineFamily } from '#engine/models/sherpa-families.ts'
import { SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { childPids } from '../testing/sample-call.ts'
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

async function start(model = toyModel()): Promise<SpeechBackend> {
  const backend = await startSherpa({ model, threads: () => 1 })
  onTestFinished(() => backend.close())
  return backend
}

/** One second of audio with one word. */
const spoken = new Float32Array(16_000).fill(0.5, 8000, 8320)

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
  const backend = await start()
  await expect(backend.detectLanguages(new Float32Array(16_000))).rejects.toMatchObject({
    code: 'unsupported_language',
  })
  expect(backend.capabilities).toMatchObject({
    engine: 'sherpa-onnx 1.13.8',
    hasBeamSearch: false,
    hasPrompt: false,
    hasLanguageDetection: false,
    hasAudioContext: false,
    hasWordTimes: true,
  })
})

test('an abort ends the process, and the next call works', async () => {
  const backend = await start()
  await transcribe(backend, spoken)
  const [pid = 0] = childPids('sherpa-child.ts')
  // The toy network answers within a millisecond; a stopped process cannot finish before the abort.
  process.kill(pid, 'SIGSTOP')
  const controller = new AbortController()
  const { signal } = controller
  const aborted = backend.transcribe(spoken, { language: 'ps', decoding: decodingFor(toyModel(), 'ps'), signal })
  setImmediate(() => controller.abort())
  await expect(aborted).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(childPids('sherpa-child.ts')).toEqual([])
  expect((await transcribe(backend, spoken)).segments).toHaveLength(1)
})

test('a call whose process is killed is repeated in a new one', async () => {
  const backend = await start()
  await transcribe(backend, spoken)
  const [pid = 0] = childPids('sherpa-child.ts')
  const call = transcribe(backend, spoken)
  process.kill(pid, 'SIGSEGV')
  expect((await call).segments).toHaveLength(1)
  expect(childPids('sherpa-child.ts')).not.toContain(pid)
})

test('files of another family, which end the process, are rejected', async () => {
  const model = toyModel()
  const dolphin = { ...model, sherpa: { ...model.sherpa, family: 'dolphin' as const } }
  await expect(transcribe(await start(dolphin), spoken)).rejects.toMatchObject({ code: 'model_unavailable' })
})

test('files that are damaged while in use are rejected before a new process loads them', async () => {
  const path = await temporaryFolder()
  await cp(toyModel().path, path, { recursive: true })
  const backend = await start({ ...toyModel(), path })
  await transcribe(backend, spoken)
  await truncate(join(path, 'tokens.txt'), 1)
  for (const pid of childPids('sherpa-child.ts')) process.kill(pid, 'SIGKILL')
  await expect(transcribe(backend, spoken)).rejects.toMatchObject({ code: 'model_unavailable' })
})

test.each<[SherpaEngineFamily, string]>([
  ['omnilingual', 'omnilingual=OfflineOmnilingualAsrCtcModelConfig(model="/m/model")'],
  ['dolphin', 'dolphin=OfflineDolphinModelConfig(model="/m/model")'],
  ['sense-voice', 'sense_voice=OfflineSenseVoiceModelConfig(model="/m/model", language="en", use_itn=True)'],
  [
    'qwen3-asr',
    'qwen3_asr=OfflineQwen3ASRModelConfig(conv_frontend="/m/convFrontend", encoder="/m/encoder", decoder="/m/decoder", ' +
      'tokenizer="/m", hotwords="", max_total_len=1024, max_new_tokens=448,',
  ],
  ['nemo-ctc', 'nemo_ctc=OfflineNemoEncDecCtcModelConfig(model="/m/model")'],
  [
    'transducer',
    'transducer=OfflineTransducerModelConfig(encoder_filename="/m/encoder", decoder_filename="/m/decoder", joiner_filename="/m/joiner")',
  ],
  [
    'canary',
    'canary=OfflineCanaryModelConfig(encoder="/m/encoder", decoder="/m/decoder", src_lang="en", tgt_lang="en", use_pnc=True)',
  ],
  [
    'cohere-transcribe',
    'cohere_transcribe=OfflineCohereTranscribeModelConfig(encoder="/m/encoder", decoder="/m/decoder", language="en", use_punct=True, use_itn=True)',
  ],
])('sherpa-onnx reads every setting of the family %s', (family, expected) => {
  const script = join(import.meta.dirname, 'testing', 'print-config.ts')
  const { stderr } = spawnSync(process.execPath, [script, family], { encoding: 'utf8' })
  expect(stderr).toContain(expected)
  expect(stderr).toContain('num_threads=3')
})
