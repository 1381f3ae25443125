import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { bundledModelsDir, findSpeechModel } from '#engine/models/catalog.ts'
import { saveMeasurement } from '#engine/models/measured.ts'
import type { Measurement } from '#engine/models/measured.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { SpeechBackend } from '#engine/speech/backend/speech-backend.ts'
import { startBackend } from '#engine/speech/backend/start-backend.ts'
import { decodingFor } from '#engine/speech/decode-settings.ts'

const sampleRate = 16_000
const sampleChannel = 1
const firstCallSamples = 2 * sampleRate
const lookEveryMs = 100

/**
 * `awaz models verify ID`: checks the files, loads the model, transcribes the sample call that comes with Awaz and prints and keeps what
 * that cost, on one thread. The voices of the sample are synthetic: it says what a model costs and that it works, not how well.
 *
 * @throws AppError `model_unavailable` with a sentence where a file is missing or damaged or the model cannot be loaded
 */
export async function verify(id: string, modelsDir: string): Promise<void> {
  const model = await findSpeechModel(id, modelsDir)
  const samples = await readSample()
  const { text, measurement } = await measure(model, samples)
  await saveMeasurement(modelsDir, id, measurement)
  const { engine, processor, loadS, realTimeFactor, cpuSPerS, peakMemoryBytes } = measurement
  console.log(`${model.name} works: ${engine}, one thread, ${processor}
  loaded in          ${loadS.toFixed(1)} s
  real-time factor   ${realTimeFactor.toFixed(2)}
  CPU time           ${cpuSPerS.toFixed(2)} s a second of sound
  peak memory        ${(peakMemoryBytes / 1e6).toFixed(0)} MB
  text               ${text || '(none)'}`)
}

/** One channel of the sample call, as long as one window may be. */
async function readSample(): Promise<Float32Array> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-verify-'))
  try {
    const { pcmPath, channelCount } = await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir })
    const bytes = await readFile(pcmPath)
    const blockBytes = channelCount * 2
    return Float32Array.from(
      { length: bytes.length / blockBytes },
      (_, at) => bytes.readInt16LE(at * blockBytes + sampleChannel * 2) / 32_768,
    )
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

async function measure(model: SpeechModel, samples: Float32Array): Promise<{ text: string; measurement: Measurement }> {
  const window = samples.subarray(0, (model.maxWindowMs * sampleRate) / 1000)
  const startedAt = performance.now()
  const backend = await startBackend({ model, threads: () => 1 })
  const memory = watchPeakMemory()
  try {
    // The process starts, and loads the model, with the first call.
    await transcribe(backend, model, window.subarray(0, firstCallSamples))
    const loadS = (performance.now() - startedAt) / 1000
    const before = { atMs: performance.now(), cpuMs: backend.cpuMs() }
    const text = await transcribe(backend, model, window)
    const soundMs = (window.length / sampleRate) * 1000
    return {
      text,
      measurement: {
        engine: backend.capabilities.engine,
        processor: cpus()[0]?.model ?? '',
        measuredAt: new Date().toISOString(),
        loadS,
        realTimeFactor: (performance.now() - before.atMs) / soundMs,
        cpuSPerS: (backend.cpuMs() - before.cpuMs) / soundMs,
        peakMemoryBytes: await memory.stop(),
      },
    }
  } finally {
    await memory.stop()
    await backend.close()
  }
}

async function transcribe(backend: SpeechBackend, model: SpeechModel, samples: Float32Array): Promise<string> {
  const language = model.languages.includes('en') ? 'en' : (model.languages[0] ?? 'en')
  const { segments } = await backend.transcribe(samples, { language, decoding: decodingFor(model, language) })
  return segments.map(({ text }) => text).join(' ')
}

/** The largest peak memory (VmHWM) of the child processes of this one, looked at until stopped. */
function watchPeakMemory(): { stop(): Promise<number> } {
  let peakBytes = 0
  const look = async () => {
    for (const pid of await readdir('/proc')) peakBytes = Math.max(peakBytes, await readPeak(pid))
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await look()
      return peakBytes
    },
  }
}

/** 0 for what is no child of this process, or has ended. */
async function readPeak(pid: string): Promise<number> {
  if (!/^\d+$/u.test(pid)) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? 0)
  return field('PPid') === process.pid ? field('VmHWM') * 1024 : 0
}
