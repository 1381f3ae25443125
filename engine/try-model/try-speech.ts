import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import { watchPeakMemory } from '#engine/evaluate/process-tree.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startBackend } from '#engine/speech/start-backend.ts'
import { decodingFor } from '#engine/speech/decode-settings.ts'
import { recognizeWindow } from '#engine/speech/recognize-window.ts'
import type { WindowAudio } from '#engine/speech/recognize-window.ts'
import { describeMachine } from './machine.ts'
import type { TrialResult } from './trial.ts'

/** The English channel of the sample call. */
const channel = 1

/**
 * Loads a speech model and transcribes the bundled sample call on one thread. The voices of the sample are synthetic: the trial shows the
 * cost of a model and that it works, not its accuracy.
 *
 * @throws AppError `model_unavailable` with a sentence where a file is missing or damaged or the model cannot be loaded
 */
export async function trySpeech(model: SpeechModel, { signal }: { signal?: AbortSignal }): Promise<TrialResult> {
  return measure(model, await readSpeechSample(model), signal)
}

/** Returns the English speech of the sample call, in windows as in the product. */
export async function readSpeechSample({
  maxWindowMs,
  oneSpanPerWindow,
}: Pick<SpeechModel, 'maxWindowMs' | 'oneSpanPerWindow'>): Promise<WindowAudio[]> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-verify-'))
  try {
    const decoded = await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir })
    const { spans } = await detectSpeech(decoded)
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
  sounds: WindowAudio[],
  signal: AbortSignal | undefined,
): Promise<TrialResult> {
  const language = model.languages.includes('en') ? 'en' : (model.languages[0] ?? 'en')
  const decoding = decodingFor(model, language)
  const startedAt = performance.now()
  const memory = watchPeakMemory({ isNewOnly: true })
  const backend = await startBackend({ model, threads: () => 1 })
  try {
    // The process starts, and loads the model, with the first call.
    await backend.transcribe(new Float32Array(sampleRate), { language, decoding, signal })
    const loadS = (performance.now() - startedAt) / 1000
    const before = { atMs: performance.now(), cpuMs: backend.cpuMs() }
    const texts: string[] = []
    for (const sound of sounds) {
      const { segments } = await recognizeWindow(backend, sound, { language, decoding, signal })
      texts.push(...segments.map((segment) => segment.text))
    }
    const soundMs = sounds.reduce((sum, { window }) => sum + window.durationMs, 0)
    return {
      text: texts.join(' '),
      warning: null,
      measurement: {
        ...describeMachine(),
        engine: backend.capabilities.engine,
        loadS,
        realTimeFactor: (performance.now() - before.atMs) / soundMs,
        cpuSPerS: (backend.cpuMs() - before.cpuMs) / soundMs,
        tokensPerS: null,
        words: texts
          .join(' ')
          .split(/\s+/u)
          .filter((word) => word !== '').length,
        peakMemoryBytes: memory.stop(),
      },
    }
  } finally {
    memory.stop()
    await backend.close()
  }
}
