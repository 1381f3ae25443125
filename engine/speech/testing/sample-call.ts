import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'

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

/** The bundled call, decoded into `workDir`, and what is said in it. */
export async function decodeSampleCall(workDir: string): Promise<{ decoded: DecodedAudio; lines: SampleLine[] }> {
  const text = await readFile(join(bundledModelsDir, 'demo', 'sample-call.json'), 'utf8')
  const { lines } = SampleCall.parse(JSON.parse(text))
  return { decoded: await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir }), lines }
}

/** The process ids of the Whisper children of this process. */
export async function whisperPids(): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const own = await Promise.all(pids.map(async (pid) => ((await isWhisperChild(pid)) ? [pid] : [])))
  return own.flat()
}

/** Fails a test that left a Whisper child running. */
export async function requireNoWhisper(): Promise<void> {
  const pids = await whisperPids()
  if (pids.length > 0) throw new Error(`Whisper processes were left: ${pids.join(', ')}`)
}

async function isWhisperChild(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return parent === process.pid && (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('whisper-child.ts')
  } catch {
    return false // gone meanwhile
  }
}
