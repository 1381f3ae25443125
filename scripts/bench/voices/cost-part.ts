import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeAudio } from '#engine/audio/decode.ts'
import { readTreeCpu } from '#engine/evaluate/process-tree.ts'
import { quantizeWhisper } from '#engine/models/quantize-ggml.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { buildCall } from './call-sound.ts'
import type { BuiltCall } from './call-sound.ts'
import { corpusNames, readClips, withFolder } from './clips.ts'
import type { BenchContext } from './context.ts'
import { transcribeFile } from './product.ts'
import type { Cells } from './report.ts'

/** Limits for CPU time relative to faster-whisper (without, with its detector), the child's memory, and the time to stop after a cancel. */
const targets = { whole: 1, detector: 1.6, memoryRatio: 1.6, memoryBytes: 250e6, freeMs: 2000 }
const abortAfterMs = [300, 3000, 8000]
const mebibyte = 1024 * 1024

/** Measures CPU time and memory for one long call (one thread, q8_0 weights) against faster-whisper on its two channels, then cancels. */
export async function measureCost(context: BenchContext): Promise<void> {
  const { report, onProgress, corpora, minutes } = context
  const corpus = corpora[0] ?? 'en'
  await withFolder(async (folder) => {
    const model = await quantizedModel(context.model, folder)
    const call = await buildCall({ name: 'cost', folder, minutes, clips: await readClips({ only: [corpus] }) })
    const { own, ratios, rows } = await compareCpu(call, { ...context, model })
    const freeMs: number[] = []
    for (const afterMs of abortAfterMs) freeMs.push(await measureAbort(call.path, { model, afterMs }))
    onProgress(`CPU free ${freeMs.join(', ')} ms after a cancel`)

    report.heading(`A call of ${minutes} minutes in ${corpusNames[corpus]}, q8_0 weights, one thread: CPU seconds`)
    report.table(rows)
    for (const { name, ratio, max } of ratios) {
      report.verdict(`CPU against faster-whisper ${name}: ${ratio.toFixed(2)}, at most ${max}`, ratio <= max)
    }
    const weights = (await stat(model.path)).size
    const maxBytes = targets.memoryRatio * weights + targets.memoryBytes
    report.verdict(
      `peak memory of a child: ${toMebibytes(own.peakChildBytes)} MiB, weights ${toMebibytes(weights)}, at most ${toMebibytes(maxBytes)}`,
      own.peakChildBytes <= maxBytes,
    )
    const slowest = Math.max(...freeMs)
    report.verdict(`CPU free after a cancel: ${slowest} ms, at most ${targets.freeMs}`, slowest <= targets.freeMs)
  })
}

/** Alternates between the two, so that a change in the machine's speed affects both. */
async function compareCpu(call: BuiltCall, { model, baseline, corpora, onProgress }: BenchContext) {
  const corpus = corpora[0] ?? 'en'
  const language = corpus === 'prs' ? 'fa' : corpus
  const [left, right] = call.channelPaths
  const transcribeByBaseline = async (path: string, hasDetector: boolean) => {
    const answer = await baseline?.transcribe({ path, language, hasDetector })
    if (answer) onProgress(`faster-whisper${hasDetector ? ' with its detector' : ''}: ${answer.cpuS.toFixed(0)} s`)
    return answer
  }
  const first = await transcribeByBaseline(left, false)
  const own = await transcribeFile(call.path, { model, language })
  onProgress(`own: ${own.cpuS.toFixed(0)} s`)
  const others = [
    { name: 'on whole channels', max: targets.whole, answers: [first, await transcribeByBaseline(right, false)] },
    {
      name: 'with its detector',
      max: targets.detector,
      answers: [await transcribeByBaseline(left, true), await transcribeByBaseline(right, true)],
    },
  ]
  const rows: Record<string, Cells> = {
    Awaz: {
      'CPU, s': own.cpuS.toFixed(1),
      'of it children': own.childCpuSeconds.toFixed(1),
      'peak, MiB': toMebibytes(own.peakChildBytes),
    },
  }
  const ratios: { name: string; ratio: number; max: number }[] = []
  for (const { name, max, answers } of others) {
    const done = answers.flatMap((answer) => answer ?? [])
    if (done.length === 0) continue
    const cpuS = done.reduce((sum, answer) => sum + answer.cpuS, 0)
    const peak = toMebibytes(Math.max(...done.map(({ peakBytes }) => peakBytes)))
    rows[`faster-whisper ${name}`] = { 'CPU, s': cpuS.toFixed(1), 'peak, MiB': peak }
    ratios.push({ name, max, ratio: own.cpuS / cpuS })
  }
  return { own, ratios, rows }
}

/** Returns the milliseconds from a cancel until no child process uses CPU any more. */
async function measureAbort(
  path: string,
  { model, afterMs }: { model: SpeechModel; afterMs: number },
): Promise<number> {
  return withFolder(async (workDir) => {
    const decoded = await decodeAudio(path, { workDir })
    const stop = new AbortController()
    const ended = transcribeRecording(decoded, { model, language: 'en', threads: 1, signal: stop.signal }).then(
      () => undefined,
      () => undefined,
    )
    await wait(afterMs)
    stop.abort()
    const abortedAt = performance.now()
    let busyUntil = abortedAt
    let usedS = readTreeCpu().childrenSeconds
    while (performance.now() - abortedAt < targets.freeMs + 2000) {
      await wait(50)
      const nowS = readTreeCpu().childrenSeconds
      if (nowS > usedS) busyUntil = performance.now()
      usedS = nowS
    }
    await ended
    return Math.round(busyUntil - abortedAt)
  })
}

/** Returns the model with q8_0 weights; quantizes them into `folder` unless they already are q8_0. */
async function quantizedModel(model: SpeechModel, folder: string): Promise<SpeechModel> {
  if (model.path.includes('q8_0')) return model
  const path = `${folder}/q8_0.bin`
  await quantizeWhisper(model.path, path)
  return { ...model, path }
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / mebibyte)
}
