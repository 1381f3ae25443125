import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { writeWav } from '#testing/audio.ts'

const SampleCall = z.object({
  duration: z.number(),
  lines: z.array(
    z.object({
      channel: z.int(),
      speaker: z.string(),
      language: z.enum(['ps', 'en']),
      start: z.number(),
      end: z.number(),
      text: z.string(),
    }),
  ),
})
export type SampleLine = z.infer<typeof SampleCall>['lines'][number]

interface DecodedCall {
  decoded: DecodedAudio
  lines: SampleLine[]
}

/** The calls that this process has decoded, by number of lines. */
const calls = new Map<number, Promise<DecodedCall & { samples: Uint8Array }>>()

/** Returns the bundled call, or its first `lineCount` lines, with its reference lines; writes its samples to the caller's `workDir`. */
export async function decodeSampleCall(workDir: string, { lineCount = Infinity } = {}): Promise<DecodedCall> {
  const known = calls.get(lineCount) ?? decodeLines(lineCount)
  calls.set(lineCount, known)
  const { decoded, lines, samples } = await known
  const pcmPath = join(workDir, 'pcm.s16le')
  await writeFile(pcmPath, samples)
  return { decoded: { ...decoded, pcmPath }, lines: structuredClone(lines) }
}

async function decodeLines(lineCount: number): Promise<DecodedCall & { samples: Uint8Array }> {
  const text = await readFile(join(bundledModelsDir, 'demo', 'sample-call.json'), 'utf8')
  const { lines } = SampleCall.parse(JSON.parse(text))
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-sample-call-'))
  try {
    const whole = await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir })
    const endMs = ((lines[lineCount]?.start ?? Infinity) - 0.2) * 1000
    const decoded = endMs < whole.durationMs ? await cut(whole, endMs) : whole
    return { decoded, lines: lines.slice(0, lineCount), samples: await readFile(decoded.pcmPath) }
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** Replaces a decoded two-channel recording with its part before `endMs`. */
async function cut(whole: DecodedAudio, endMs: number): Promise<DecodedAudio> {
  const workDir = dirname(whole.pcmPath)
  const samples = await Promise.all([0, 1].map((channel) => readWhole({ ...whole, durationMs: endMs }, channel)))
  await writeWav(join(workDir, 'cut.wav'), samples)
  return decodeAudio(join(workDir, 'cut.wav'), { workDir })
}

/** Reads the samples of one channel. */
export function readWhole(decoded: DecodedAudio, channel: number): Promise<Float32Array> {
  const { durationMs } = decoded
  const times = { sourceStartMs: 0, sourceEndMs: durationMs, windowStartMs: 0 }
  const speech = { speechStartMs: 0, speechEndMs: durationMs, beginsTurn: true }
  return readWindow(decoded, channel, { pieces: [{ ...times, ...speech }], durationMs })
}

/** Writes the first lines of the bundled call, for tests in which its length does not matter. Returns the path. */
export async function writeShortCall(workDir: string, { lineCount }: { lineCount: number }): Promise<string> {
  const { decoded } = await decodeSampleCall(workDir, { lineCount })
  const path = join(workDir, 'call.wav')
  await writeWav(path, [await readWhole(decoded, 0), await readWhole(decoded, 1)])
  return path
}

/** Writes the bundled call, or its first `lineCount` lines, with both voices on one channel, where they take turns. Returns the path. */
export async function writeMonoCall(
  workDir: string,
  options: { lineCount?: number } = {},
): Promise<{ path: string; lines: SampleLine[] }> {
  const { decoded, lines } = await decodeSampleCall(workDir, options)
  const [left, right] = [await readWhole(decoded, 0), await readWhole(decoded, 1)]
  const path = join(workDir, 'mono.wav')
  await writeWav(path, [left.map((value, at) => value + (right[at] ?? 0))])
  return { path, lines }
}

/** Returns the ids of this process's children that run a script. Synchronous, so that nothing changes in the meantime. */
export function childPids(script: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isChild(pid, script))
}

/** Returns the ids of the Whisper children of this process. */
export function whisperPids(): number[] {
  return childPids('whisper-child.ts')
}

/** Fails the test if it left a Whisper child running. */
export function assertNoWhisperRunning(): void {
  const pids = whisperPids()
  if (pids.length > 0) throw new Error(`Whisper processes are still running: ${pids.join(', ')}`)
}

function isChild(pid: number, script: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script)
  } catch {
    return false // exited in the meantime
  }
}
