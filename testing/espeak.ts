import { spawn, spawnSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'

import { findFfmpeg } from '#engine/audio/ffmpeg.ts'

const program = 'espeak-ng'

export interface Voice {
  /** An espeak-ng voice; a variant follows a plus sign: "en-us+m3". */
  voice?: string
  /** Words a minute. */
  speed?: number
  /** 0 to 99. */
  pitch?: number
}

export function hasEspeak(): boolean {
  return spawnSync(program, ['--version']).status === 0
}

/**
 * A sentence spoken by espeak-ng, at 16 kHz and trimmed to 10 ms before its first and 20 ms after its last sound, as the demo
 * model's training data is. espeak-ng has no Pashto voice.
 */
export async function speak(
  text: string,
  { voice = 'en-us', speed = 160, pitch = 50 }: Voice = {},
): Promise<Float32Array> {
  const { path } = await findFfmpeg()
  const espeak = spawn(program, ['-v', voice, '-s', String(speed), '-p', String(pitch), '--stdout', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const resample = spawn(
    path,
    ['-v', 'error', '-f', 'wav', '-i', '-', '-ar', '16000', '-ac', '1', '-f', 's16le', '-'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  espeak.stdout.pipe(resample.stdin)
  const bytes = await buffer(resample.stdout)
  const samples = Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2) / 32768)
  const isLoud = (sample: number) => Math.abs(sample) > 150 / 32768
  const first = samples.findIndex(isLoud)
  const last = samples.findLastIndex(isLoud)
  return samples.slice(Math.max(0, first - 160), last + 320)
}
