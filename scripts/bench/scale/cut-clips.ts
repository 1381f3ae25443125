import { execFile } from 'node:child_process'
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'

const sampleCall = join(import.meta.dirname, '..', '..', '..', 'models/demo/sample-call.mp3')
const clipSeconds = 4

/** Cuts the sample call into clips of four seconds below a folder. Returns their paths, in order. */
export async function cutSampleCall(folder: string): Promise<string[]> {
  const { path } = await findFfmpeg()
  const target = await mkdtemp(join(folder, 'clips-'))
  const cut = ['-f', 'segment', '-segment_time', String(clipSeconds), '-c', 'copy', join(target, '%03d.mp3')]
  await promisify(execFile)(path, ['-v', 'error', '-i', sampleCall, ...cut])
  return listClips(target)
}

/** The recordings of a folder, by name. */
export async function listClips(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => /\.(mp3|wav|flac|ogg|m4a)$/.test(name))
    .toSorted()
    .map((name) => join(folder, name))
}
