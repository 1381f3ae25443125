import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const run = promisify(execFile)

/** Stretches of the sample call, in seconds: both speakers talk in each. The second contains the words پیسې سبا راوړه. */
const stretches = [
  { from: 0.4, to: 6.9 },
  { from: 8.8, to: 15.4 },
  { from: 17.9, to: 24.5 },
  { from: 24.6, to: 31.5 },
]

/** How each file extension is encoded, and whether it keeps both channels. */
const encodings = [
  { extension: 'mp3', args: [] },
  { extension: 'wav', args: ['-ac', '1'] },
  { extension: 'm4a', args: [] },
  { extension: 'flac', args: [] },
  { extension: 'ogg', args: ['-ac', '1', '-c:a', 'libvorbis'] },
  { extension: 'mp4', args: ['-c:a', 'aac'] },
  { extension: 'webm', args: ['-c:a', 'libopus'] },
]

/**
 * Writes short calls with every accepted extension, mono and stereo, named "call 01.mp3" and so on; every fifth has a Pashto name.
 * No two have the same audio. Returns their paths.
 */
export async function makeMixedCalls(folder: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => makeCall(folder, index)))
}

async function makeCall(folder: string, index: number): Promise<string> {
  const { from, to } = stretches[index % stretches.length] ?? { from: 0, to: 8 }
  const { extension, args } = encodings[index % encodings.length] ?? { extension: 'mp3', args: [] }
  const number = String(index + 1).padStart(2, '0')
  const path = join(folder, `${index % 5 === 4 ? 'زنګ' : 'call'} ${number}.${extension}`)
  // Starts a little later each time: identical files would be reported as uploaded twice.
  const start = from + index / 100
  await run('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    '-ss',
    String(start),
    '-to',
    String(to),
    '-i',
    sample,
    ...args,
    path,
  ])
  return path
}
