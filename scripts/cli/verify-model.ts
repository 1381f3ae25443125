import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import { bundledModelsDir, findSpeechModel } from '#engine/models/catalog.ts'
import { saveMeasurement } from '#engine/models/measured.ts'
import type { ModelMeasurement } from '#engine/models/measured.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startBackend } from '#engine/speech/backend/start-backend.ts'
import { decodingFor } from '#engine/speech/decode-settings.ts'
import { decodeWindow } from '#engine/speech/decode-window.ts'
import type { WindowSound } from '#engine/speech/decode-window.ts'

const lookEveryMs = 100
/** The channel of the sample call that is in English. */
const channel = 1

/**
 * `awaz models verify ID`: checks the files, loads the model, transcribes the sample call that comes with Awaz and prints and keeps what
 * that cost, on one thread. The voices of the sample are synthetic: it says what a model costs and that it works, not how well.
 *
 * @throws AppError `model_unavailable` with a sentence where a file is missing or damaged or the model cannot be loaded
 */
export async function verify(id: string, modelsDir: string): Promise<void> {
  const model = await findSpeechModel(id, modelsDir)
  const { text, measurement } = await measure(model, await readSample(model))
  await saveMeasurement(modelsDir, id, measurement)
  const { engine, processor, loadS, realTimeFactor, cpuSPerS, peakMemoryBytes } = measurement
  console.log(`${model.name} works: ${engine}, one thread, ${processor}
  loaded in          ${loadS.toFixed(1)} s
  real-time factor   ${realTimeFactor.toFixed(2)}
  CPU time           ${cpuSPerS.toFixed(2)} s a second of sound
  peak memory        ${(peakMemoryBytes / 1e6).toFixed(0)} MB
  text               ${text || '(none)'}`)
}

/** What is said in the sample call in English, cut and packed as the product does. */
async function readSample({ maxWindowMs, oneSpanPerWindow }: SpeechModel): Promise<WindowSound[]> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-verify-'))
  try {
    const decoded = await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir })
    const spans = await detectSpeech(decoded)
    const frames = decoded.frames[channel] ?? new Float32Array()
    const windows = packWindows(spans[channel] ?? [], { frames, maxWindowMs, oneSpanPerWindow })
    return await Promise.all(
      windows.map(async (window) => ({ window, samples: await readWindow(decoded, channel, window) })),
    )
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

async function measure(
  model: SpeechModel,
  sounds: WindowSound[],
): Promise<{ text: string; measurement: ModelMeasurement }> {
  const language = model.languages.includes('en') ? 'en' : (model.languages[0] ?? 'en')
  const decoding = decodingFor(model, language)
  const startedAt = performance.now()
  const backend = await startBackend({ model, threads: () => 1 })
  const memory = watchPeakMemory()
  try {
    // The process starts, and loads the model, with the first call.
    await backend.transcribe(new Float32Array(sampleRate), { language, decoding })
    const loadS = (performance.now() - startedAt) / 1000
    const before = { atMs: performance.now(), cpuMs: backend.cpuMs() }
    const texts: string[] = []
    for (const sound of sounds) {
      const { segments } = await decodeWindow(backend, sound, { language, decoding })
      texts.push(...segments.map((segment) => segment.text))
    }
    const soundMs = sounds.reduce((sum, { window }) => sum + window.durationMs, 0)
    return {
      text: texts.join(' '),
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
