import { copyFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { noise } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeSampleCall, assertNoWhisperRunning, whisperPids } from '../testing/sample-call.ts'
import { decodingFor } from '../decode-settings.ts'
import type { Decoding, TranscribedWindow, SpeechBackend } from '../backend/speech-backend.ts'
import { startWhisper } from './start-whisper.ts'
import type { WhisperOptions } from './start-whisper.ts'

let model: SpeechModel
let decoding: Decoding

beforeEach(async () => {
  model = await findSpeechModel('demo-speech')
  decoding = decodingFor(model, 'ps')
})

async function start(options: Partial<WhisperOptions> = {}): Promise<SpeechBackend> {
  const whisper = await startWhisper({ model, threads: () => 1, ...options })
  onTestFinished(async () => {
    await whisper.close()
    assertNoWhisperRunning()
  })
  return whisper
}

/** Returns the samples of one line of the sample call with 150 ms on each side, and its text and language. */
async function line(index: number): Promise<{ samples: Float32Array; text: string; language: string }> {
  const { decoded, lines } = await decodeSampleCall(await temporaryFolder())
  const chosen = lines[index]
  if (!chosen) throw new Error(`The sample call has no line ${index}`)
  const { channel, start, end, text, language } = chosen
  const [startMs, endMs] = [start * 1000, end * 1000]
  const piece = {
    sourceStartMs: startMs - 150,
    sourceEndMs: endMs + 150,
    windowStartMs: 0,
    speechStartMs: startMs,
    speechEndMs: endMs,
    beginsTurn: true,
  }
  return {
    samples: await readWindow(decoded, channel, { pieces: [piece], durationMs: endMs - startMs + 300 }),
    text,
    language,
  }
}

function textOf({ segments }: TranscribedWindow): string {
  return segments.map(({ text }) => text).join(' ')
}

test('transcribes a Pashto and an English line with word timestamps, and is deterministic', async () => {
  const whisper = await start()
  for (const index of [2, 3]) {
    const { samples, text, language } = await line(index)
    const transcribed = await whisper.transcribe(samples, { language, decoding })
    expect(textOf(transcribed)).toBe(text)
    expect(transcribed.isComplete).toBe(true)
    const words = transcribed.segments.flatMap((segment) => segment.words)
    expect(words.map((word) => word.text)).toEqual(text.split(' '))
    expect(words.every(({ confidence }) => (confidence ?? 0) > 0.5 && (confidence ?? 2) <= 1)).toBe(true)
    expect(words.map(({ startMs }) => startMs)).toEqual(words.map(({ startMs }) => startMs).toSorted((a, b) => a - b))
    expect(words.at(-1)?.endMs).toBeLessThanOrEqual(samples.length / 16)
    expect(transcribed.segments[0]).toMatchObject({
      noSpeechProbability: expect.any(Number),
      meanLogProbability: expect.any(Number),
    })
    expect(transcribed.segments[0]?.compressionRatio).toBeLessThan(2.4)
    expect(await whisper.transcribe(samples, { language, decoding })).toEqual(transcribed)
  }
})

test('the same samples give the same text when sampling at a temperature', async () => {
  const whisper = await start()
  const { samples, language } = await line(3)
  const sampling = { ...decoding, temperature: 1, bestOf: 2 }
  const first = await whisper.transcribe(samples, { language, decoding: sampling })
  await whisper.transcribe(
    samples.map((sample) => sample / 2),
    { language, decoding: sampling },
  )
  expect(await whisper.transcribe(samples, { language, decoding: sampling })).toEqual(first)
})

test('returns the probability of each language', async () => {
  const whisper = await start()
  for (const index of [2, 3]) {
    const { samples, language } = await line(index)
    const probabilities = await whisper.detectLanguages(samples)
    expect(probabilities[language]).toBeGreaterThan(0.9)
    expect(Object.values(probabilities).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3)
  }
})

test('survives NaN and infinite samples, a click of 10 ms, silence, 31 s and no samples', async () => {
  const whisper = await start()
  const broken = new Float32Array(32_000).fill(Number.NaN).fill(Number.POSITIVE_INFINITY, 100, 200)
  const click = new Float32Array(160).fill(0.5)
  for (const samples of [broken, click, new Float32Array(480_000), new Float32Array(496_000), new Float32Array()]) {
    expect(textOf(await whisper.transcribe(samples, { language: 'ps', decoding }))).toBe('')
    expect(await whisper.detectLanguages(samples)).toHaveProperty('ps')
  }
})

test('rejects a language that Whisper does not support, which would hang', async () => {
  const whisper = await start()
  await expect(whisper.transcribe(new Float32Array(16_000), { language: 'tlh', decoding })).rejects.toThrow(
    'has no language "tlh"',
  )
})

test('an abort frees the CPU without ending the process, and the next call works', async () => {
  const whisper = await start()
  const { samples, text, language } = await line(3)
  await whisper.transcribe(samples, { language, decoding })
  const pids = whisperPids()
  const controller = new AbortController()
  const long = whisper.transcribe(noise(30_000, { db: -20, seed: 1 }), {
    language,
    decoding: { ...decoding, beamSize: 8 },
    audioContext: 1500,
    signal: controller.signal,
  })
  setImmediate(() => controller.abort())
  await expect(long).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(textOf(await whisper.transcribe(samples, { language, decoding }))).toBe(text)
  expect(whisperPids()).toEqual(pids)
})

test('a call whose process is killed is repeated in a new one', async () => {
  const whisper = await start()
  const { samples, text, language } = await line(3)
  await whisper.transcribe(samples, { language, decoding })
  const [pid] = whisperPids()
  const call = whisper.transcribe(samples, { language, decoding, audioContext: 1500 })
  process.kill(pid ?? 0, 'SIGSEGV')
  expect(textOf(await call)).toBe(text)
  expect(whisperPids()).not.toContain(pid)
})

test('weights that are damaged while in use are rejected before a new process loads them', async () => {
  const path = join(await temporaryFolder(), 'model.bin')
  await copyFile(model.path, path)
  const whisper = await start({ model: { ...model, path, sha256: null, sizeBytes: null } })
  const { samples, language } = await line(3)
  await whisper.transcribe(samples, { language, decoding })
  await truncate(path, 1000)
  for (const pid of whisperPids()) process.kill(pid, 'SIGKILL')
  await expect(whisper.transcribe(samples, { language, decoding })).rejects.toMatchObject({ code: 'model_unavailable' })
})

test.each([
  ['garbage', async (path: string) => writeFile(path, Buffer.alloc(500_000, 'x'))],
  ['empty', async (path: string) => truncate(path, 0)],
  [
    'another kind of model',
    async (path: string) => writeFile(path, Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(500_000)])),
  ],
  ['cut inside its vocabulary', async (path: string) => truncate(path, 200_000)],
  ['cut inside its weights', async (path: string) => truncate(path, 7_000_000)],
])('rejects a model file that is %s before it starts a process', async (_, damage) => {
  const path = join(await temporaryFolder(), 'model.bin')
  await copyFile(model.path, path)
  await damage(path)
  await expect(
    startWhisper({ model: { ...model, path, sizeBytes: null, sha256: null }, threads: () => 1 }),
  ).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('cannot be used: it '),
  })
})

test('an invalid number of threads is an error, not a crash', async () => {
  const whisper = await start({ threads: () => 0 })
  await expect(whisper.transcribe(new Float32Array(16_000), { language: 'en', decoding })).rejects.toThrow(
    'Threads must be an integer',
  )
})
