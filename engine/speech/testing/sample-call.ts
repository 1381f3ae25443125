import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Decodes the bundled call into `workDir` and returns it with its reference lines. */
export async function decodeSampleCall(workDir: string): Promise<{ decoded: DecodedAudio; lines: SampleLine[] }> {
  const text = await readFile(join(bundledModelsDir, 'demo', 'sample-call.json'), 'utf8')
  const { lines } = SampleCall.parse(JSON.parse(text))
  return { decoded: await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir }), lines }
}

/** Writes the bundled call with both voices on one channel, where they take turns. Returns the path. */
export async function writeMonoCall(workDir: string): Promise<{ path: string; lines: SampleLine[] }> {
  const { decoded, lines } = await decodeSampleCall(workDir)
  const { durationMs } = decoded
  const times = { sourceStartMs: 0, sourceEndMs: durationMs, windowStartMs: 0 }
  const speech = { speechStartMs: 0, speechEndMs: durationMs, beginsTurn: true }
  const whole = { pieces: [{ ...times, ...speech }], durationMs }
  const [left, right] = [await readWindow(decoded, 0, whole), await readWindow(decoded, 1, whole)]
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

/** Fails a test that left a Whisper child running. */
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
