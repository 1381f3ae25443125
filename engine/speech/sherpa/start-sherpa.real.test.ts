import { copyFile, mkdir, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decodeAudio } from '#engine/audio/decode.ts'
import { readWindow } from '#engine/audio/windows.ts'
import type { ModelFile } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { noise } from '#testing/audio.ts'
import { realDataDir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { TranscribedWindow, SpeechBackend } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { childPids } from '../testing/sample-call.ts'
import { transcribeRecording } from '../transcribe.ts'
import { startSherpa } from './start-sherpa.ts'
import { describeSherpa, whisperOnnx } from './testing/real-sherpa.ts'

const clip = join(realDataDir, 'speech', 'en-001.flac')
const said = 'But, though on the whole, except in Italy, Gothic letter was most often used.'

async function start(model: SherpaSpeechModel = whisperOnnx()): Promise<SpeechBackend> {
  const backend = await startSherpa({ model, threads: () => 1 })
  onTestFinished(async () => {
    await backend.close()
    if (sherpaPids().length > 0) throw new Error('Sherpa processes are still running')
  })
  return backend
}

function sherpaPids(): number[] {
  return childPids('sherpa-child.ts')
}

async function readClip(path: string): Promise<Float32Array> {
  const decoded = await decodeAudio(path, { workDir: await temporaryFolder() })
  const times = { sourceStartMs: 0, sourceEndMs: decoded.durationMs, speechStartMs: 0, speechEndMs: decoded.durationMs }
  const piece = { ...times, windowStartMs: 0, beginsTurn: true }
  return readWindow(decoded, 0, { pieces: [piece], durationMs: decoded.durationMs })
}

function transcribe(backend: SpeechBackend, samples: Float32Array, language = 'en', signal?: AbortSignal) {
  return backend.transcribe(samples, { language, decoding: decodingFor(whisperOnnx(), language), signal })
}

function textOf({ segments }: TranscribedWindow): string {
  return segments.map(({ text }) => text).join(' ')
}

/** Returns the model in a folder of its own, with one file changed by `damage`. */
async function modelWith(name: string, damage: (path: string) => Promise<unknown>): Promise<SherpaSpeechModel> {
  const model = whisperOnnx()
  const folder = await temporaryFolder()
  for (const { name: file } of [model.sherpa.files, model.sherpa.float32Files].flatMap(Object.values<ModelFile>)) {
    if (file !== name) await symlink(join(model.path, file), join(folder, file))
  }
  await copyFile(join(model.path, name), join(folder, name))
  await damage(join(folder, name))
  return { ...model, path: folder }
}

describeSherpa('Whisper base in sherpa-onnx', () => {
  test('transcribes with word timestamps, and is deterministic', async () => {
    const backend = await start()
    const samples = await readClip(clip)
    const transcribed = await transcribe(backend, samples)
    expect(textOf(transcribed)).toBe(said)
    expect(transcribed.isComplete).toBe(true)
    const words = transcribed.segments.flatMap((segment) => segment.words)
    expect(words.map(({ text }) => text)).toEqual(said.split(' '))
    expect(words.every(({ confidence }) => confidence === null)).toBe(true)
    expect(new Set(words.map(({ startMs }) => startMs)).size).toBe(words.length)
    expect(words.at(-1)?.endMs).toBeLessThanOrEqual(samples.length / 16)
    expect(await transcribe(backend, samples)).toEqual(transcribed)
  })

  test('transcribes a whole Arabic sentence, which has more tokens per second than sherpa-onnx allows', async () => {
    const transcribed = await transcribe(
      await start(),
      await readClip(join(realDataDir, 'speech', 'ar-001.flac')),
      'ar',
    )
    expect(textOf(transcribed).split(' ').length).toBeGreaterThanOrEqual(7)
  })

  test('a transcribed recording has segments without confidences', async () => {
    const decoded = await decodeAudio(clip, { workDir: await temporaryFolder() })
    const result = await transcribeRecording(decoded, { model: whisperOnnx(), language: 'auto', threads: 1 })
    expect(result.detected_language).toBe('en')
    expect(result.transcription).toContain('Gothic letter')
    expect(result.segments.every(({ confidence }) => confidence === undefined)).toBe(true)
  })

  test('survives NaN and infinite samples, a click, one sample, no samples and 31 s of silence', async () => {
    const backend = await start()
    const broken = new Float32Array(32_000).fill(Number.NaN).fill(Number.POSITIVE_INFINITY, 100, 200)
    const click = new Float32Array(160).fill(0.5)
    for (const samples of [broken, click, new Float32Array(1), new Float32Array(), new Float32Array(496_000)]) {
      const transcribed = await transcribe(backend, samples)
      for (const { startMs, endMs } of transcribed.segments) expect(endMs).toBeGreaterThanOrEqual(startMs)
      await backend.detectLanguages(samples)
    }
    expect(sherpaPids()).toHaveLength(1)
  })

  test('rejects an unsupported language, which would end the process', async () => {
    await expect(transcribe(await start(), new Float32Array(16_000), 'tlh')).rejects.toMatchObject({
      code: 'unsupported_language',
    })
  })

  test('an abort frees the CPU within two seconds, and the next call works', async () => {
    const backend = await start()
    const samples = await readClip(clip)
    await transcribe(backend, samples)
    const controller = new AbortController()
    const long = transcribe(backend, noise(29_000, { db: -20, seed: 1 }), 'en', controller.signal)
    setImmediate(() => controller.abort())
    const startedAt = performance.now()
    await expect(long).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(sherpaPids()).toEqual([])
    expect(textOf(await transcribe(backend, samples))).toBe(said)
  })

  test('a call whose process is killed is repeated in a new one', async () => {
    const backend = await start()
    const samples = await readClip(clip)
    await transcribe(backend, samples)
    const [pid] = sherpaPids()
    const call = transcribe(backend, samples)
    process.kill(pid ?? 0, 'SIGSEGV')
    expect(textOf(await call)).toBe(said)
    expect(sherpaPids()).not.toContain(pid)
  })
})

describeSherpa('files of Whisper base for sherpa-onnx', () => {
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
      (path) => copyFile(join(whisperOnnx().path, 'decoder.int8.onnx'), path),
    ],
  ])('%s is rejected with a message before a process starts', async (_, name, damage) => {
    await expect(start(await modelWith(name, damage))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/^The file .* of the model Whisper base, ONNX cannot be used: .*\.$/),
    })
  })

  test('an encoder as decoder, which sherpa-onnx decodes to nothing, is an error', async () => {
    const model = await modelWith('decoder.int8.onnx', (path) =>
      copyFile(join(whisperOnnx().path, 'encoder.int8.onnx'), path),
    )
    await expect(transcribe(await start(model), new Float32Array(16_000))).rejects.toMatchObject({
      code: 'internal',
    })
  })

  test('files of another family, and missing files, are rejected', async () => {
    const model = whisperOnnx()
    const { encoder, tokens } = model.sherpa.files
    if (!encoder || !tokens) throw new Error('The model has no encoder')
    const dolphin = {
      ...model,
      sherpa: {
        ...model.sherpa,
        family: 'dolphin' as const,
        files: { model: encoder, tokens },
        float32Files: { model: encoder },
      },
    }
    await expect(transcribe(await start(dolphin), new Float32Array(16_000))).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    const folder = join(await temporaryFolder(), 'none')
    await mkdir(folder)
    await expect(start({ ...model, path: folder })).rejects.toMatchObject({
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
    for (const pid of sherpaPids()) process.kill(pid, 'SIGKILL')
    await expect(transcribe(backend, samples)).rejects.toMatchObject({ code: 'model_unavailable' })
  })
})
