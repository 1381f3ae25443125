// Makes models/demo/sample-call.mp3 and sample-call.json: node models/demo/make-sample-call.ts
// Needs espeak-ng and an ffmpeg with libmp3lame. Same tools, same bytes; the words are in sample-call-lines.ts.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleLines } from './sample-call-lines.ts'
import type { SampleLine } from './sample-call-lines.ts'

const sampleRate = 16_000
const pauseMs = 700
const voices = { ps: ['-v', 'fa-latn+m3', '-s', '150', '-p', '45'], en: ['-v', 'en-us+f2', '-s', '150', '-p', '55'] }

interface Spoken extends SampleLine {
  startMs: number
  endMs: number
  samples: Int16Array
}

const spoken = layOut(sampleLines)
const stereo = mix(spoken)
const mp3 = join(import.meta.dirname, 'sample-call.mp3')
run(
  'ffmpeg',
  [
    ...ffmpegInput(2),
    '-c:a',
    'libmp3lame',
    '-b:a',
    '128k',
    '-joint_stereo',
    '0',
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-y',
    mp3,
  ],
  Buffer.from(stereo.buffer),
)
writeFileSync(join(import.meta.dirname, 'sample-call.json'), describe(spoken, stereo.length / 2))

function run(command: string, args: string[], input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.toString()}`)
  return stdout
}

function ffmpegInput(channels: number): string[] {
  return ['-v', 'error', '-f', 's16le', '-ar', String(sampleRate), '-ac', String(channels), '-i', '-']
}

/** Synthesizes a line and trims the silence around it. */
function speak({ language, text, say }: SampleLine): Int16Array {
  const wav = run('espeak-ng', [...voices[language], '--stdout', say ?? text])
  const pcm = run('ffmpeg', ['-v', 'error', '-i', '-', '-ar', String(sampleRate), '-ac', '1', '-f', 's16le', '-'], wav)
  const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength))
  const isLoud = (sample: number) => Math.abs(sample) > 150
  return samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1)
}

function layOut(lines: SampleLine[]): Spoken[] {
  let startMs = pauseMs
  return lines.map((line) => {
    const samples = speak(line)
    const placed = { ...line, startMs, endMs: startMs + Math.round((samples.length * 1000) / sampleRate), samples }
    startMs = placed.endMs + pauseMs
    return placed
  })
}

function mix(lines: Spoken[]): Int16Array {
  const endMs = (lines.at(-1)?.endMs ?? 0) + pauseMs
  const stereo = new Int16Array(((endMs * sampleRate) / 1000) * 2)
  for (const { channel, startMs, samples } of lines) {
    const first = (startMs * sampleRate) / 1000
    for (const [at, sample] of samples.entries()) stereo[(first + at) * 2 + channel] = sample
  }
  return stereo
}

function describe(lines: Spoken[], sampleCount: number): string {
  const expected = lines.map(({ channel, language, text, startMs, endMs }) => ({
    channel,
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    language,
    start: startMs / 1000,
    end: endMs / 1000,
    text,
  }))
  return `${JSON.stringify({ duration: sampleCount / sampleRate, languages: ['ps', 'en'], lines: expected }, null, 2)}\n`
}
