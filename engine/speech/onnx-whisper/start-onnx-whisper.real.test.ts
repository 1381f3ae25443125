import { copyFile, mkdir, mkdtemp, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { decodeAudio } from '#engine/audio/decode.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { ModelFile } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { noise } from '#testing/audio.ts'
import { lacks } from '#testing/needs.ts'
import { realDataDir, realModelsDir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { TranscribedWindow, SpeechBackend } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { hasLoop } from '../repetition.ts'
import { childPids } from '../testing/sample-call.ts'
import { transcribeRecording } from '../transcribe.ts'
import { startOnnxWhisper } from './start-onnx-whisper.ts'
import { whisperBaseOnnxModel } from './testing/real-whisper-onnx.ts'

const clip = join(realDataDir, 'speech', 'en-001.flac')
const said = 'But, though on the whole, except in Italy, Gothic letter was most often used.'

async function start(model: SherpaSpeechModel): Promise<SpeechBackend> {
  const backend = await startOnnxWhisper({ model, threads: () => 1 })
  onTestFinished(async () => {
    await backend.close()
    assertNoneRunning()
  })
  return backend
}

function assertNoneRunning() {
  if (onnxPids().length > 0) throw new Error('Speech processes are still running')
}

function onnxPids(): number[] {
  return childPids('onnx-whisper-child.ts')
}

async function readClip(path: string, folder?: string): Promise<Float32Array> {
  const decoded = await decodeAudio(path, { workDir: folder ?? (await temporaryFolder()) })
  const times = { sourceStartMs: 0, sourceEndMs: decoded.durationMs, speechStartMs: 0, speechEndMs: decoded.durationMs }
  const piece = { ...times, windowStartMs: 0, beginsTurn: true }
  return readWindow(decoded, 0, { pieces: [piece], durationMs: decoded.durationMs })
}

function transcribe(backend: SpeechBackend, samples: Float32Array, language = 'en', signal?: AbortSignal) {
  return backend.transcribe(samples, { language, decoding: decodingFor(whisperBaseOnnxModel(), language), signal })
}

function isProbability(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && value > 0 && value <= 1
}

function textOf({ segments }: TranscribedWindow): string {
  return segments.map(({ text }) => text).join(' ')
}

/** Returns a copy of the model in a separate folder, with one file changed by `damage`. */
async function modelWith(name: string, damage: (path: string) => Promise<unknown>): Promise<SherpaSpeechModel> {
  const model = whisperBaseOnnxModel()
  const folder = await temporaryFolder()
  for (const { name: file } of [model.sherpa.files, model.sherpa.float32Files].flatMap(Object.values<ModelFile>)) {
    if (file !== name) await symlink(join(model.path, file), join(folder, file))
  }
  await copyFile(join(model.path, name), join(folder, name))
  await damage(join(folder, name))
  return { ...model, path: folder }
}

describe.skipIf(lacks('whisperBase', 'whisperOnnx', 'recordings'))('Whisper base on onnxruntime', () => {
  /** Shared by all tests that leave it unchanged, because each process loads 100 MB. */
  let backend: SpeechBackend
  let samples: Float32Array
  let transcribed: TranscribedWindow
  beforeAll(async () => {
    backend = await startOnnxWhisper({ model: whisperBaseOnnxModel(), threads: () => 1 })
    const folder = await mkdtemp(join(tmpdir(), 'awaz-onnx-'))
    samples = await readClip(clip, folder)
    await rm(folder, { recursive: true })
    transcribed = await transcribe(backend, samples)
  })
  afterAll(async () => {
    await backend.close()
    assertNoneRunning()
  })

  test('transcribes with word times and confidences, and is deterministic', async () => {
    expect(textOf(transcribed)).toBe(said)
    expect(transcribed.isComplete).toBe(true)
    const words = transcribed.segments.flatMap((segment) => segment.words)
    expect(words.map(({ text }) => text)).toEqual(said.split(' '))
    for (const { confidence } of words) expect(isProbability(confidence)).toBe(true)
    for (const { meanLogProbability, noSpeechProbability } of transcribed.segments) {
      expect(meanLogProbability).toBeGreaterThan(-0.5)
      expect(meanLogProbability).toBeLessThan(0)
      expect(noSpeechProbability).toBeLessThan(0.5)
    }
    expect(new Set(words.map(({ startMs }) => startMs)).size).toBe(words.length)
    expect(words.at(-1)?.endMs).toBeLessThanOrEqual(samples.length / 16)
    expect(await transcribe(backend, samples)).toEqual(transcribed)
  })

  test('words start within 0.3 s of where they are spoken, ascending, and none in the pause', () => {
    const words = transcribed.segments.flatMap((segment) => segment.words)
    const startsMs = words.map(({ startMs }) => startMs)
    expect(startsMs).toEqual(startsMs.toSorted((one, other) => one - other))
    for (const { startMs, endMs } of words) expect(endMs).toBeGreaterThan(startMs)
    // The first word, and the words after pauses; a pause ends where the level rises above -50 dB.
    const spokenAtMs = { 'But,': 0, though: 550, except: 1750, Gothic: 2930 }
    for (const [text, ms] of Object.entries(spokenAtMs)) {
      const startMs = words.find((word) => word.text === text)?.startMs ?? Number.NaN
      expect(Math.abs(startMs - ms), `"${text}" at ${startMs} ms`).toBeLessThan(300)
    }
    expect(startsMs.filter((ms) => ms > 1450 && ms < 1700)).toEqual([])
  })

  test('silence before the first word is not counted as the word', async () => {
    const delayed = new Float32Array(16_000 + samples.length)
    delayed.set(samples, 16_000)
    const { segments } = await transcribe(backend, delayed)
    const [first] = segments.flatMap((segment) => segment.words)
    expect(first?.text).toBe('But,')
    expect(Math.abs((first?.startMs ?? 0) - 1000)).toBeLessThan(300)
  })

  test('a keyword is nearly heard where another word is written, and the text stays as it is', async () => {
    const sentence = await readClip(join(realDataDir, 'speech', 'prs-001.flac'))
    const decoding = decodingFor(whisperBaseOnnxModel(), 'fa')
    const plain = await backend.transcribe(sentence, { language: 'fa', decoding })
    const keywords = ['دکمه', 'کابل', 'تفنگ']
    const { segments } = await backend.transcribe(sentence, { language: 'fa', decoding, keywords })
    const found = segments.flatMap(({ words }) => words.flatMap(({ nearlyHeard = [] }) => nearlyHeard))
    expect(found).toEqual([{ keyword: 'دکمه', count: 1, probability: expect.any(Number) }])
    const withoutHits = JSON.stringify(segments, (key, value: unknown) => (key === 'nearlyHeard' ? undefined : value))
    expect(JSON.parse(withoutHits)).toEqual(plain.segments)
  })

  test('a Dari sentence has no repetition loop with the decoding of the catalogue', async () => {
    const decoding = decodingFor(await findSpeechModel('whisper-base-onnx', realModelsDir), 'fa')
    expect(decoding.beamSize).toBeGreaterThan(1)
    const sentence = await readClip(join(realDataDir, 'speech', 'prs-003.flac'))
    const { segments } = await backend.transcribe(sentence, { language: 'fa', decoding })
    const words = segments.flatMap((segment) => segment.words)
    expect(hasLoop(segments)).toBe(false)
    expect(Math.max(...segments.map(({ compressionRatio }) => compressionRatio))).toBeLessThan(2.4)
    // Fourteen words are spoken; a loop would fill all 224 tokens.
    expect(words.length).toBeGreaterThanOrEqual(12)
    expect(words.length).toBeLessThanOrEqual(24)
  })

  test('transcribes a whole Arabic sentence, which has ten tokens per second', async () => {
    const sentence = await transcribe(backend, await readClip(join(realDataDir, 'speech', 'ar-001.flac')), 'ar')
    expect(textOf(sentence).split(' ').length).toBeGreaterThanOrEqual(7)
  })

  test('a transcribed recording has segments with confidences', async () => {
    const decoded = await decodeAudio(clip, { workDir: await temporaryFolder() })
    const result = await transcribeRecording(decoded, { model: whisperBaseOnnxModel(), language: 'auto', threads: 1 })
    expect(result.detected_language).toBe('en')
    expect(result.transcription).toContain('Gothic letter')
    expect(result.segments.length).toBeGreaterThan(0)
    for (const { confidence } of result.segments) expect(isProbability(confidence)).toBe(true)
  })

  test('survives NaN and infinite samples, a click, one sample, no samples and 31 s of silence', async () => {
    await backend.detectLanguages(samples)
    const pids = onnxPids()
    const greedy = { ...decodingFor(whisperBaseOnnxModel(), 'en'), beamSize: 1 }
    const broken = new Float32Array(32_000).fill(Number.NaN).fill(Number.POSITIVE_INFINITY, 100, 200)
    const click = new Float32Array(160).fill(0.5)
    for (const sound of [broken, click, new Float32Array(1), new Float32Array(), new Float32Array(496_000)]) {
      const { segments } = await backend.transcribe(sound, { language: 'en', decoding: greedy })
      for (const { startMs, endMs } of segments) expect(endMs).toBeGreaterThanOrEqual(startMs)
      await backend.detectLanguages(sound)
    }
    expect(pids).toHaveLength(1)
    expect(onnxPids()).toEqual(pids)
  })

  test('rejects a language that the file does not list', async () => {
    await expect(transcribe(backend, new Float32Array(16_000), 'tlh')).rejects.toMatchObject({
      code: 'unsupported_language',
    })
  })

  test.each([2000, 29_000])(
    'an abort of %i ms of audio frees the CPU within two seconds, and the next call works',
    async (ms) => {
      const controller = new AbortController()
      const aborted = transcribe(backend, noise(ms, { db: -20, seed: 1 }), 'en', controller.signal)
      setImmediate(() => controller.abort())
      const startedAt = performance.now()
      await expect(aborted).rejects.toMatchObject({ code: 'job_cancelled' })
      expect(performance.now() - startedAt).toBeLessThan(2000)
      expect(textOf(await transcribe(backend, samples))).toBe(said)
    },
  )

  test('a call whose process is killed is repeated in a new one', async () => {
    await transcribe(backend, samples)
    const [pid] = onnxPids()
    if (pid === undefined) throw new Error('No process runs')
    const call = transcribe(backend, samples)
    process.kill(pid, 'SIGSEGV')
    expect(textOf(await call)).toBe(said)
    expect(onnxPids()).not.toContain(pid)
  })
})

describe.skipIf(lacks('whisperBase', 'whisperOnnx', 'recordings'))('files of Whisper base in ONNX', () => {
  test.each<[string, string, (path: string) => Promise<unknown>]>([
    ['an empty encoder', 'encoder.int8.onnx', (path) => truncate(path, 0)],
    ['an encoder cut inside its weights', 'encoder.int8.onnx', (path) => truncate(path, 5_000_000)],
    ['an encoder cut by a byte', 'encoder.int8.onnx', async (path) => truncate(path, (await stat(path)).size - 1)],
    ['garbage as decoder', 'decoder.int8.onnx', (path) => writeFile(path, Buffer.alloc(1_000_000, 'x'))],
    ['a decoder cut inside its weights', 'decoder.int8.onnx', (path) => truncate(path, 40_000_000)],
    ['garbage as tokens', 'tokens.txt', (path) => writeFile(path, Buffer.alloc(100_000, 'no tokens '))],
    [
      'the decoder as encoder',
      'encoder.int8.onnx',
      (path) => copyFile(join(whisperBaseOnnxModel().path, 'decoder.int8.onnx'), path),
    ],
  ])('%s is rejected with a message before a process starts', async (_, name, damage) => {
    await expect(start(await modelWith(name, damage))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The file .* of the model Whisper base, ONNX cannot be used: .*\.$/),
    })
  })

  test('an encoder as decoder is rejected when it is loaded', async () => {
    const model = await modelWith('decoder.int8.onnx', (path) =>
      copyFile(join(whisperBaseOnnxModel().path, 'encoder.int8.onnx'), path),
    )
    await expect(transcribe(await start(model), new Float32Array(16_000))).rejects.toMatchObject({
      code: 'model_unavailable',
    })
  })

  test('missing files are rejected', async () => {
    const folder = join(await temporaryFolder(), 'none')
    await mkdir(folder)
    await expect(start({ ...whisperBaseOnnxModel(), path: folder })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'The model Whisper base, ONNX is not installed.',
    })
  })

  test('that are damaged while in use are rejected before a new process loads them', async () => {
    const model = await modelWith('tokens.txt', async () => undefined)
    const backend = await start(model)
    const samples = await readClip(clip)
    await transcribe(backend, samples)
    await truncate(join(model.path, 'tokens.txt'), 1)
    for (const pid of onnxPids()) process.kill(pid, 'SIGKILL')
    await expect(transcribe(backend, samples)).rejects.toMatchObject({ code: 'model_unavailable' })
  })
})
