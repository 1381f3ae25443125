import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audioExtensions } from '#contract/entities/recording.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { bundledModelsDir, findSpeechModel } from '#engine/models/catalog.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'

/** The ffmpeg options for each format; video containers also carry a picture. */
const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5', '-shortest']
const encoders: Record<(typeof audioExtensions)[number], string[]> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  wav: ['-c:a', 'pcm_s16le'],
  m4a: ['-c:a', 'aac', '-b:a', '160k'],
  flac: ['-c:a', 'flac'],
  ogg: ['-c:a', 'libvorbis', '-q:a', '10'],
  mp4: [...picture, '-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '160k'],
  webm: [...picture, '-c:v', 'libvpx', '-c:a', 'libopus', '-b:a', '128k'],
}

/** Keeps the engine running between formats. */
const backends = createSpeechBackendCache({ threads: 1 })
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'awaz-formats-'))
})
afterAll(async () => {
  await backends.close()
  await rm(dir, { recursive: true, force: true })
})

/** Six lines of the sample call, three per speaker, none with a number: the demo model confuses numbers. */
const { lines }: { lines: { speaker: string; text: string; start: number }[] } = JSON.parse(
  readFileSync(join(bundledModelsDir, 'demo/sample-call.json'), 'utf8'),
)
const excerpt = lines.slice(3, 9)
const fromSeconds = (lines[3]?.start ?? 0) - 0.3
const toSeconds = (lines[9]?.start ?? 0) - 0.3

async function transcriptOf(format: (typeof audioExtensions)[number]): Promise<string[]> {
  const { path: ffmpeg } = await findFfmpeg()
  const source = join(dir, `call.${format}`)
  const input = [
    '-ss',
    String(fromSeconds),
    '-to',
    String(toSeconds),
    '-i',
    join(bundledModelsDir, 'demo/sample-call.mp3'),
  ]
  const { status, stderr } = spawnSync(ffmpeg, ['-v', 'error', '-y', ...input, ...encoders[format], source], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`ffmpeg could not write ${format}: ${stderr}`)
  const workDir = join(dir, format)
  await mkdir(workDir)
  const decoded = await decodeAudio(source, { workDir })
  const model = await findSpeechModel('demo-speech')
  const result = await transcribeRecording(decoded, { language: ['ps', 'en'], model, backends })
  return result.segments.map(({ speaker, text }) => `${speaker}: ${text}`)
}

test.each(audioExtensions)('transcribes the same words of each speaker from %s', async (format) => {
  expect(await transcriptOf(format)).toEqual(excerpt.map(({ speaker, text }) => `${speaker}: ${text}`))
})
