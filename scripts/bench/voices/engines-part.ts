import { join } from 'node:path'
import { quantizeWhisper } from '#engine/models/quantize-ggml.ts'
import { isSherpaModel, type SpeechModel } from '#engine/models/model-entry.ts'
import { readSpeechSample, trySpeech } from '#engine/try-model/try-model.ts'
import { silence, writeWav } from '#testing/audio.ts'
import { withFolder } from './clips.ts'
import type { BenchContext } from './context.ts'
import type { FasterWhisper } from './faster-whisper.ts'
import type { Cells } from './report.ts'

/** Runs of each engine. They alternate, so that a change in the machine's speed affects all engines. */
const rounds = 2

interface EngineCost {
  /** Per second of audio. */
  cpuS: number
  peakBytes: number
  /** From the start of the process until it has transcribed a second of silence. */
  loadS: number
}

/**
 * Measures CPU time, memory and load time of an engine on the windows of English speech in the sample call, on one thread, as
 * `models verify` does. Measures a ggml model with q8_0 weights too, and faster-whisper on the same windows.
 */
export async function measureEngines({ model, startBaseline, report, onProgress }: BenchContext): Promise<void> {
  await withFolder(async (folder) => {
    const engines: Record<string, () => Promise<EngineCost>> = { [model.name]: () => measureModel(model) }
    if (!isSherpaModel(model)) {
      const path = join(folder, 'q8_0.bin')
      await quantizeWhisper(model.path, path)
      engines[`${model.name}, q8_0`] = () => measureModel({ ...model, path })
    }
    if (startBaseline) {
      const paths = await writeSample(model, folder)
      engines['faster-whisper, int8, beam 5'] = () => measureBaseline(startBaseline(), paths)
    }
    const costs = new Map<string, EngineCost[]>(Object.keys(engines).map((name) => [name, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, measure] of Object.entries(engines)) costs.get(name)?.push(await measure())
      onProgress(`round ${round + 1} of ${rounds}`)
    }
    report.heading(`The English speech of the sample call, one thread, ${rounds} rounds`)
    report.table(Object.fromEntries([...costs].map(([name, measured]) => [name, toCells(measured)])))
  })
}

async function measureModel(model: SpeechModel): Promise<EngineCost> {
  const { measurement } = await trySpeech(model, {})
  const { cpuSPerS, peakMemoryBytes, loadS } = measurement
  return { cpuS: cpuSPerS ?? Number.NaN, peakBytes: peakMemoryBytes ?? Number.NaN, loadS: loadS ?? Number.NaN }
}

interface SamplePaths {
  silence: string
  windows: string[]
}

async function writeSample(model: SpeechModel, folder: string): Promise<SamplePaths> {
  const windows = await readSpeechSample(model)
  const paths = { silence: join(folder, 'silence.wav'), windows: windows.map((_, at) => join(folder, `${at}.wav`)) }
  await writeWav(paths.silence, [silence(1000)])
  for (const [at, { samples }] of windows.entries()) await writeWav(paths.windows[at] ?? '', [samples])
  return paths
}

async function measureBaseline(baseline: FasterWhisper, paths: SamplePaths): Promise<EngineCost> {
  try {
    const startedAt = performance.now()
    await baseline.transcribe({ path: paths.silence, language: 'en' })
    const loadS = (performance.now() - startedAt) / 1000
    let cpuS = 0
    let seconds = 0
    let peakBytes = 0
    for (const path of paths.windows) {
      const answer = await baseline.transcribe({ path, language: 'en' })
      cpuS += answer.cpuS
      seconds += answer.seconds
      peakBytes = Math.max(peakBytes, answer.peakBytes)
    }
    return { cpuS: cpuS / seconds, peakBytes, loadS }
  } finally {
    await baseline.close()
  }
}

function toCells(costs: readonly EngineCost[]): Cells {
  const list = (read: (cost: EngineCost) => string) => costs.map(read).join(', ')
  return {
    'CPU s per s': list(({ cpuS }) => cpuS.toFixed(3)),
    'peak memory, MB': list(({ peakBytes }) => (peakBytes / 1e6).toFixed(0)),
    'loaded in, s': list(({ loadS }) => loadS.toFixed(1)),
  }
}
