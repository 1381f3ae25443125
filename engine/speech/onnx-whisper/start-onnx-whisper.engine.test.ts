import { copyFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { noise } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { Decoding, SpeechBackend, TranscribedWindow } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { childPids } from '../testing/sample-call.ts'
import { startOnnxWhisper } from './start-onnx-whisper.ts'
import { toyTones, toyWhisperFolders, toyWhisperModel } from './testing/toy-model.ts'

/** The toy model transcribes 440 Hz as a sentence and 4000 Hz as a repetition loop. */
const sentence = toyTones(3000, { startMs: 900, endMs: 1700, hertz: 440 })
const loop = toyTones(3000, { startMs: 900, endMs: 1700, hertz: 4000 })

async function start(path?: string): Promise<SpeechBackend> {
  const backend = await startOnnxWhisper({ model: toyWhisperModel(path), threads: () => 1 })
  onTestFinished(async () => {
    await backend.close()
    if (enginePids().length > 0) throw new Error('Processes of the engine are still running')
  })
  return backend
}

function enginePids(): number[] {
  return childPids('onnx-whisper-child.ts')
}

interface TranscribeOptions {
  language?: string
  decoding?: Partial<Decoding>
  prompt?: string
  audioContext?: number
  signal?: AbortSignal
}

function transcribe(backend: SpeechBackend, samples: Float32Array, options: TranscribeOptions = {}) {
  const { language = 'en', decoding, ...rest } = options
  return backend.transcribe(samples, {
    ...rest,
    language,
    decoding: { ...decodingFor(toyWhisperModel(), language), beamSize: 1, ...decoding },
  })
}

function textOf({ segments }: TranscribedWindow): string {
  return segments.map(({ text }) => text).join(' ')
}

/** When words end: from the attention, which gives each token 200 ms, or without it from the number of letters. */
const layouts: { layout: string; path: string; wordEndsMs: [text: string, beamSize: number, endsMs: number[]][] }[] = [
  {
    layout: 'Awaz',
    path: toyWhisperFolders.ours,
    wordEndsMs: [
      ['cat sat', 1, [1100, 1300]],
      ['I ran home.', 5, [1100, 1300, 1500]],
    ],
  },
  {
    layout: 'sherpa-onnx',
    path: toyWhisperFolders.sherpa,
    wordEndsMs: [
      ['cat sat', 1, [1300, 1700]],
      ['I ran home.', 5, [989, 1256, 1700]],
    ],
  },
]

describe.each(layouts)('Whisper as exported for $layout', ({ path, wordEndsMs }) => {
  let backend: SpeechBackend

  beforeAll(async () => {
    backend = await startOnnxWhisper({ model: toyWhisperModel(path), threads: () => 1 })
  })

  afterAll(() => backend.close())

  test('beam search finds the sentence that is most probable as a whole, greedy search follows the best word', async () => {
    expect(textOf(await transcribe(backend, sentence))).toBe('cat sat')
    const transcribed = await transcribe(backend, sentence, { decoding: { beamSize: 5 } })
    expect(textOf(transcribed)).toBe('I ran home.')
    expect(await transcribe(backend, sentence, { decoding: { beamSize: 5 } })).toEqual(transcribed)
  })

  test('expects the words of the prompt', async () => {
    expect(textOf(await transcribe(backend, sentence, { prompt: 'I' }))).toBe('I ran home.')
    expect(textOf(await transcribe(backend, sentence, { prompt: '' }))).toBe('cat sat')
    const long = Array.from({ length: 1000 }, () => 'I').join(' ')
    expect(textOf(await transcribe(backend, sentence, { prompt: long }))).toBe('I ran home.')
    // The longest prompt and the longest text fill the decoder's context.
    expect((await transcribe(backend, loop, { prompt: long })).segments[0]?.words.length).toBeGreaterThan(200)
  })

  test('decodes the language that was asked for', async () => {
    expect(textOf(await transcribe(backend, sentence, { language: 'fa' }))).toBe('سلام.')
  })

  test('each tone is a segment with its own times and probabilities', async () => {
    const samples = toyTones(4000, { startMs: 0, endMs: 800, hertz: 440 }, { startMs: 2200, endMs: 4000, hertz: 440 })
    const transcribed = await transcribe(backend, samples)
    expect(transcribed).toMatchObject({
      isComplete: true,
      segments: [
        { startMs: 0, endMs: 800, text: 'cat sat', noSpeechProbability: expect.closeTo(0) },
        { startMs: 2200, endMs: 4000, text: 'cat sat' },
      ],
    })
    for (const { meanLogProbability, words } of transcribed.segments) {
      expect(meanLogProbability).toBeCloseTo((Math.log(0.6) + Math.log(0.36)) / 2)
      expect(words.map(({ text, confidence }) => [text, confidence])).toEqual([
        ['cat', expect.closeTo(0.6)],
        ['sat', expect.closeTo(0.36)],
      ])
    }
  })

  test('times the words', async () => {
    for (const [text, beamSize, endsMs] of wordEndsMs) {
      const { segments } = await transcribe(backend, sentence, { decoding: { beamSize } })
      const words = segments.flatMap((segment) => segment.words)
      expect(words.map((word) => word.text).join(' ')).toBe(text)
      expect(words.map(({ endMs }) => Math.round(endMs))).toEqual(endsMs)
      expect(words.map(({ startMs }) => Math.round(startMs))).toEqual([900, ...endsMs.slice(0, -1)])
    }
  })

  test('transcribes the same in any audio context', async () => {
    const transcribed = await transcribe(backend, sentence)
    for (const audioContext of [150, 768, 1500]) {
      expect(await transcribe(backend, sentence, { audioContext })).toEqual(transcribed)
    }
  })

  test('audio after the last segment is left to another call', async () => {
    const samples = toyTones(4000, { startMs: 0, endMs: 800, hertz: 440 })
    expect((await transcribe(backend, samples)).isComplete).toBe(false)
    expect((await transcribe(backend, samples.subarray(0, 16 * 2000))).isComplete).toBe(true)
  })

  test('a repetition loop is left at higher temperatures', async () => {
    const stuck = await transcribe(backend, loop)
    expect(stuck).toMatchObject({ isComplete: true, segments: [{ startMs: 900 }] })
    expect(stuck.segments[0]?.words.length).toBeGreaterThan(200)
    expect(stuck.segments[0]?.compressionRatio).toBeGreaterThan(2.4)

    const transcribed = await transcribe(backend, loop, { decoding: { temperatureStep: 0.2 } })
    expect(textOf(transcribed)).toMatch(/^(la ){0,20}la\.$/)
    expect(transcribed.segments).toMatchObject([{ startMs: 900, endMs: 1700 }])
    expect(await transcribe(backend, loop, { decoding: { temperatureStep: 0.2 } })).toEqual(transcribed)
  })

  test('silence, NaN and infinite samples, one sample and none have no segments', async () => {
    const broken = new Float32Array(32_000).fill(Number.NaN).fill(Number.POSITIVE_INFINITY, 100, 200)
    const silences = [new Float32Array(48_000), broken, new Float32Array(1), new Float32Array()]
    for (const samples of silences) {
      expect(await transcribe(backend, samples)).toEqual({ segments: [], isComplete: true })
      expect(await backend.detectLanguages(samples)).toEqual({ en: 0.5, fa: 0.5 })
    }
  })

  test('a probable text is returned, although the model hears no speech', async () => {
    const { segments } = await transcribe(backend, new Float32Array(16_000), { language: 'fa' })
    expect(segments).toMatchObject([{ text: 'سلام.', noSpeechProbability: expect.closeTo(20 / 21) }])
  })

  test('the text of silence is returned where silence is not to be dropped', async () => {
    const transcribed = await transcribe(backend, new Float32Array(48_000), { decoding: { noSpeechThreshold: 1 } })
    expect(textOf(transcribed)).toBe('cat ran sat la سلام.')
    expect(transcribed.segments[0]?.noSpeechProbability).toBeCloseTo(20 / 21)
  })

  test('transcribes noise, 30 s and 31 s', async () => {
    for (const seconds of [29, 30, 31]) {
      const samples = noise(seconds * 1000, { db: -6, seed: 1 })
      const transcribed = await transcribe(backend, samples, { decoding: { temperatureStep: 0.2 } })
      expect(transcribed.segments.length).toBeGreaterThan(0)
      for (const { startMs, endMs } of transcribed.segments) {
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        expect(endMs).toBeLessThanOrEqual(30_000)
      }
    }
  })

  test('returns the probabilities of its languages, which sum to 1', async () => {
    expect(await backend.detectLanguages(sentence)).toEqual({ en: expect.closeTo(0.75), fa: expect.closeTo(0.25) })
    expect(await backend.detectLanguages(loop)).toEqual({ en: expect.closeTo(0.1), fa: expect.closeTo(0.9) })
  })
})

describe('Whisper on onnxruntime', () => {
  test('names its engine and what it can do', async () => {
    expect((await start()).capabilities).toMatchObject({
      engine: 'onnxruntime 1.28.2',
      hasBeamSearch: true,
      hasPrompt: true,
      hasLanguageDetection: true,
      hasWordTimes: true,
    })
  })

  test('rejects an unsupported language', async () => {
    await expect(transcribe(await start(), sentence, { language: 'tlh' })).rejects.toMatchObject({
      code: 'unsupported_language',
    })
  })

  test('an abort stops between two tokens, and the same process makes the next call', async () => {
    const backend = await start()
    await transcribe(backend, sentence)
    const [pid] = enginePids()
    const cpuMs = backend.cpuMs()
    const controller = new AbortController()
    // Would take minutes: the loop is decoded again at each of a thousand temperatures.
    const endless = { temperature: 0.01, temperatureStep: 0.001, logProbabilityThreshold: 1 }
    const { signal } = controller
    const failure = transcribe(backend, loop, { decoding: endless, signal }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(backend.cpuMs()).toBeGreaterThan(cpuMs + 100), { timeout: 20_000 })
    controller.abort()
    expect(await failure).toMatchObject({ code: 'job_cancelled' })
    expect(enginePids()).toEqual([pid])
    expect(textOf(await transcribe(backend, sentence))).toBe('cat sat')
  })

  test('a call whose process is killed is repeated in a new one', async () => {
    const backend = await start()
    await transcribe(backend, sentence)
    const [pid] = enginePids()
    const call = transcribe(backend, sentence)
    process.kill(pid ?? 0, 'SIGSEGV')
    expect(textOf(await call)).toBe('cat sat')
    expect(enginePids()).not.toContain(pid)
  })
})

/** Returns a folder with the toy model, with one file changed by `damage`. */
async function damagedFolder(name: string, damage: (path: string) => Promise<unknown>): Promise<string> {
  const folder = join(await temporaryFolder(), 'toy')
  await mkdir(folder)
  for (const file of ['encoder.onnx', 'decoder.onnx', 'tokens.txt']) {
    await copyFile(join(toyWhisperFolders.ours, file), join(folder, file))
  }
  await damage(join(folder, name))
  return folder
}

const copyOf = (name: string) => (path: string) => copyFile(join(toyWhisperFolders.ours, name), path)

describe('files of Whisper on onnxruntime', () => {
  test.each<[string, string, (path: string) => Promise<unknown>]>([
    ['an empty encoder', 'encoder.onnx', (path) => truncate(path, 0)],
    ['an encoder cut by a byte', 'encoder.onnx', async (path) => truncate(path, (await stat(path)).size - 1)],
    ['an empty decoder', 'decoder.onnx', (path) => truncate(path, 0)],
    ['garbage as decoder', 'decoder.onnx', (path) => writeFile(path, Buffer.alloc(30_000, 'x'))],
    ['a decoder cut inside its weights', 'decoder.onnx', (path) => truncate(path, 10_000)],
    ['garbage as tokens', 'tokens.txt', (path) => writeFile(path, Buffer.alloc(10_000, 'no tokens '))],
    ['the decoder as encoder', 'encoder.onnx', copyOf('decoder.onnx')],
  ])('%s is rejected before a process starts', async (_, name, damage) => {
    const path = await damagedFolder(name, damage)
    await expect(startOnnxWhisper({ model: toyWhisperModel(path), threads: () => 1 })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The file .* of the model Toy Whisper cannot be used: .*\.$/),
    })
  })

  test.each<[string, string, (path: string) => Promise<unknown>]>([
    ['the encoder as decoder', 'decoder.onnx', copyOf('encoder.onnx')],
    ['an encoder whose graph is damaged', 'encoder.onnx', (path) => replaceText(path, 'ReduceMax', 'ReduceMix')],
    ['a decoder whose graph is damaged', 'decoder.onnx', (path) => replaceText(path, 'ArgMax', 'ArgMix')],
    ['an encoder without a number', 'encoder.onnx', (path) => replaceText(path, 'n_text_ctx', 'n_text_cty')],
    ['tokens that are not base64', 'tokens.txt', (path) => writeFile(path, '! 0\n? 1\n')],
  ])('%s is rejected when it is loaded', async (_, name, damage) => {
    const backend = await start(await damagedFolder(name, damage))
    await expect(transcribe(backend, sentence)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The model Toy Whisper could not be loaded: /),
    })
    expect(enginePids()).toEqual([])
  })

  test('that are damaged while in use are rejected before a new process loads them', async () => {
    const folder = await damagedFolder('tokens.txt', async () => undefined)
    const backend = await start(folder)
    await transcribe(backend, sentence)
    await truncate(join(folder, 'tokens.txt'), 1)
    for (const pid of enginePids()) process.kill(pid, 'SIGKILL')
    await expect(transcribe(backend, sentence)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The file .*tokens\.txt of the model Toy Whisper cannot be used: /),
    })
  })
})

/** Replaces all occurrences of a text in a binary file by one of the same length. */
async function replaceText(path: string, text: string, replacement: string): Promise<void> {
  const contents = await readFile(path, 'latin1')
  await writeFile(path, contents.replaceAll(text, replacement), 'latin1')
}
