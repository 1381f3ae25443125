import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { atLevel, noise, writeWav } from '#testing/audio.ts'
import { realDataDir } from '#testing/real-data.ts'
import { readSamples } from './clips.ts'

const run = promisify(execFile)

/** How a call is altered before it is transcribed. */
export interface CallCondition {
  name: string
  /** ffmpeg filters for both channels. */
  filters?: string
  /** A codec through which each channel passes, and the extension of its files. */
  codec?: { options: string[]; extension: string }
  /** Added noise, in dB relative to full scale; speech is at -21 and -24. */
  noise?: { source: 'room' | 'white'; db: number }
}

const echo = 'aecho=0.9:0.7:70|150:0.35|0.2'

export const callConditions: readonly CallCondition[] = [
  { name: 'clean' },
  { name: '-20 dB', filters: 'volume=-20dB' },
  { name: 'room noise, 10 dB below speech', noise: { source: 'room', db: -32 } },
  { name: 'white noise, 10 dB below speech', noise: { source: 'white', db: -32 } },
  { name: 'echo', filters: echo },
  { name: 'room noise and echo', filters: echo, noise: { source: 'room', db: -32 } },
  { name: 'cross-talk at -20 dB', filters: 'pan=stereo|c0=c0+0.1*c1|c1=c1+0.1*c0' },
  { name: '20 ms lost each 0.7 s', filters: "asetnsamples=160,volume='if(lt(mod(t,0.7),0.02),0,1)':eval=frame" },
  { name: 'clipped', filters: 'volume=18dB,alimiter=limit=0.5:level=0,volume=-3dB' },
  { name: 'µ-law', codec: { options: ['-c:a', 'pcm_mulaw'], extension: 'wav' } },
  { name: 'GSM', codec: { options: ['-c:a', 'libgsm'], extension: 'gsm' } },
  { name: 'G.726, 16 kbit/s', codec: { options: ['-c:a', 'g726', '-b:a', '16k'], extension: 'wav' } },
  { name: 'Opus, 8 kbit/s', codec: { options: ['-ac', '1', '-c:a', 'libopus', '-b:a', '8k'], extension: 'ogg' } },
]

/** Returns the conditions whose names start with one of the given texts; an empty text matches all. Throws when a text matches no name. */
export function findConditions(starts: readonly string[]): CallCondition[] {
  const unknown = starts.find((start) => !callConditions.some(({ name }) => name.startsWith(start)))
  if (unknown !== undefined) throw new Error(`No condition is named "${unknown}".`)
  return callConditions.filter(({ name }) => starts.some((start) => name.startsWith(start)))
}

export interface ConditionedCall {
  path: string
  channelPaths: [string, string]
}

/** Writes a call as it sounds in a condition. Throws when ffmpeg lacks the codec; Debian's build has all of them. */
export async function applyCondition(
  path: string,
  { name, filters, codec, noise: added }: CallCondition,
  folder: string,
): Promise<ConditionedCall> {
  const stem = join(folder, name.replaceAll(/\W+/gu, '-'))
  const whole = `${stem}.wav`
  const channelPaths: [string, string] = [`${stem}-a.wav`, `${stem}-b.wav`]
  const inputs = ['-i', path]
  const graph = [`[0]${filters ?? 'anull'}[call]`]
  if (added) {
    inputs.push('-stream_loop', '-1', '-i', await writeNoise(added, stem))
    graph.push('[call][1]amix=inputs=2:duration=first:normalize=0[noisy]')
  }
  graph.push(`[${added ? 'noisy' : 'call'}]channelsplit=channel_layout=stereo[a][b]`)
  const outputs = channelPaths.flatMap((channel, index) => [
    '-map',
    `[${index === 0 ? 'a' : 'b'}]`,
    '-ar',
    '8000',
    channel,
  ])
  await ffmpeg([...inputs, '-filter_complex', graph.join(';'), ...outputs])
  if (codec) {
    for (const channel of channelPaths) {
      const coded = `${channel}.${codec.extension}`
      await ffmpeg(['-i', channel, ...codec.options, coded])
      await ffmpeg(['-i', coded, '-ar', '8000', '-c:a', 'pcm_s16le', channel])
    }
  }
  const joined = [
    '-i',
    channelPaths[0],
    '-i',
    channelPaths[1],
    '-filter_complex',
    '[0][1]join=channel_layout=stereo',
    whole,
  ]
  await ffmpeg(joined)
  return { path: whole, channelPaths }
}

async function writeNoise({ source, db }: NonNullable<CallCondition['noise']>, stem: string): Promise<string> {
  const path = `${stem}-noise.wav`
  const sound =
    source === 'white'
      ? noise(30_000, { db, seed: 5 })
      : atLevel(await readSamples(join(realDataDir, 'noise', 'sc_doing_the_dishes.flac')), db)
  await writeWav(path, [sound, sound])
  await ffmpeg(['-i', path, '-ar', '8000', `${stem}-noise-8.wav`])
  return `${stem}-noise-8.wav`
}

async function ffmpeg(args: string[]): Promise<void> {
  const { path } = await findFfmpeg()
  await run(path, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args])
}
