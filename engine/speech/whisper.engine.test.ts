import { copyFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeSampleCall, requireNoWhisper, whisperPids } from './testing/sample-call.ts'
import { startWhisper } from './whisper.ts'
import type { Whisper, WhisperOptions } from './whisper.ts'

let model: SpeechModel

beforeEach(async () => {
  model = await findSpeechModel('demo-speech')
})

async function start(options: Partial<WhisperOptions> = {}): Promise<Whisper> {
  const whisper = await startWhisper({ model, threads: () => 1, ...options })
  onTestFinished(async () => {
    await whisper.close()
    requireNoWhisper()
  })
  return whisper
}

/** The samples and the words of one line of the sample call, with 150 ms around them. */
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
  }
  return {
    samples: await readWindow(decoded, channel, { pieces: [piece], durationMs: endMs - startMs + 300 }),
    text,
    language,
  }
}

function textOf(segments: { text: string }[]): string {
  return segments.map(({ text }) => text.trim()).join(' ')
}

test('hears the words of a Pashto and of an English line, and the same again', async () => {
  const whisper = await start()
  for (const index of [2, 3]) {
    const { samples, text, language } = await line(index)
    const heard = await whisper.transcribe(samples, { language })
    expect(textOf(heard)).toBe(text)
    expect(heard[0]?.confidence).toBeGreaterThan(0.5)
    expect(await whisper.transcribe(samples, { language })).toEqual(heard)
  }
})

test('tells the language and how probable it is', async () => {
  const whisper = await start()
  for (const index of [2, 3]) {
    const { samples, language } = await line(index)
    const detected = await whisper.detectLanguage(samples)
    expect(detected.language).toBe(language)
    expect(detected.probability).toBeGreaterThan(0.9)
    expect(detected.probability).toBeLessThanOrEqual(1)
  }
})

test('NaN and infinite samples, a click of 10 ms, silence and no sound at all do no harm', async () => {
  const whisper = await start()
  const broken = new Float32Array(32_000).fill(Number.NaN).fill(Number.POSITIVE_INFINITY, 100, 200)
  for (const samples of [broken, new Float32Array(160).fill(0.5), new Float32Array(480_000), new Float32Array()]) {
    expect(textOf(await whisper.transcribe(samples, { language: 'ps' }))).toBe('')
  }
})

test('refuses a language Whisper does not have, which would hang', async () => {
  const whisper = await start()
  expect(() => whisper.transcribe(new Float32Array(16_000), { language: 'tlh' })).toThrow('has no language "tlh"')
})

test('an abort ends the call at once and the next call works', async () => {
  const whisper = await start()
  const { samples, text, language } = await line(3)
  const controller = new AbortController()
  const long = whisper.transcribe(new Float32Array(480_000).fill(0.01), {
    language,
    audioContext: 1500,
    signal: controller.signal,
  })
  await vi.waitFor(() => expect(whisperPids()).toHaveLength(1))
  controller.abort()
  await expect(long).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(whisperPids()).toEqual([])
  expect(textOf(await whisper.transcribe(samples, { language }))).toBe(text)
})

test('a call whose process is killed is repeated in a new one', async () => {
  const whisper = await start()
  const { samples, text, language } = await line(3)
  await whisper.transcribe(samples, { language })
  const [pid] = whisperPids()
  const call = whisper.transcribe(samples, { language, audioContext: 1500 })
  process.kill(pid ?? 0, 'SIGSEGV')
  expect(textOf(await call)).toBe(text)
  expect(whisperPids()).not.toContain(pid)
})

test('replaces its process after a number of calls', async () => {
  const whisper = await start({ callsPerProcess: 2 })
  const { samples, language } = await line(3)
  const seen = new Set<number>()
  for (let call = 0; call < 4; call++) {
    await whisper.transcribe(samples, { language })
    for (const pid of whisperPids()) seen.add(pid)
  }
  expect(seen.size).toBe(2)
})

test.each([
  ['garbage', async (path: string) => writeFile(path, Buffer.alloc(500_000, 'x'))],
  ['cut inside its vocabulary', async (path: string) => truncate(path, 200_000)],
  ['cut inside its weights', async (path: string) => truncate(path, 7_000_000)],
])('refuses a model file that is %s before it starts a process', async (_, damage) => {
  const path = join(await temporaryFolder(), 'model.bin')
  await copyFile(model.path, path)
  await damage(path)
  await expect(
    startWhisper({ model: { ...model, path, sizeBytes: null, sha256: null }, threads: () => 1 }),
  ).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('is damaged'),
  })
})

test('threads that are no integer of 1 or more are an error, not a crash', async () => {
  const whisper = await start({ threads: () => 0 })
  await expect(whisper.transcribe(new Float32Array(16_000), { language: 'en' })).rejects.toThrow(
    'Threads must be an integer',
  )
})
