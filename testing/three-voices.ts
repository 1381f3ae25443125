import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readersDir } from './real-data.ts'

/** Clips of three readers in turn: a man, a woman and another man. */
const clips = [
  '2033-164914-0001',
  '367-130732-0001',
  '1688-142285-0003',
  '2033-164914-0002',
  '367-130732-0002',
  '1688-142285-0004',
  '2033-164914-0003',
]
const maxClipSeconds = 8
const pauseSeconds = 0.6

const clipPath = (clip: string) => join(readersDir, `${clip}.flac`)

/** Writes a mono WAV of a telephone call between three people, seven turns in 46 seconds, or its first turns. Needs ffmpeg on the PATH. */
export async function buildThreeVoices(path: string, { turns = clips.length } = {}): Promise<void> {
  const chosen = clips.slice(0, turns)
  const inputs = chosen.flatMap((clip) => ['-t', String(maxClipSeconds), '-i', clipPath(clip)])
  const pads = chosen.map((_, index) => `[${index}:a]aresample=16000,apad=pad_dur=${pauseSeconds}[a${index}]`)
  const joined = `${chosen.map((_, index) => `[a${index}]`).join('')}concat=n=${chosen.length}:v=0:a=1[call]`
  const telephone = '[call]highpass=f=300,lowpass=f=3400,aresample=8000[out]'
  const filter = [...pads, joined, telephone].join(';')
  await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    ...inputs,
    '-filter_complex',
    filter,
    '-map',
    '[out]',
    '-y',
    path,
  ])
}
