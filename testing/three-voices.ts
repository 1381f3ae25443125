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

/** Writes a mono telephone call of three people, 46 seconds of WAV. Needs ffmpeg on the PATH. */
export async function buildThreeVoices(path: string): Promise<void> {
  const inputs = clips.flatMap((clip) => ['-t', String(maxClipSeconds), '-i', clipPath(clip)])
  const pads = clips.map((_, index) => `[${index}:a]aresample=16000,apad=pad_dur=${pauseSeconds}[a${index}]`)
  const joined = `${clips.map((_, index) => `[a${index}]`).join('')}concat=n=${clips.length}:v=0:a=1[call]`
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
