import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { realDataDir } from '#testing/real-data.ts'
import { atLevel, silence, writeWav } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeAudio } from '../decode.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import { percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { detectSpeech } from './detect-speech.ts'
import { readChannel } from './testing/sounds.ts'

/** Padding that windows keep around detected speech. */
const paddingMs = 300
/** Human annotators do not agree on boundaries more closely. */
const collarMs = 250

async function detect(path: string): Promise<{ decoded: DecodedAudio; spans: SpeechSpan[] }> {
  const decoded = await decodeAudio(join(realDataDir, path), { workDir: await temporaryFolder() })
  const [spans = []] = (await detectSpeech(decoded)).spans
  return { decoded, spans }
}

/** Reads from the RTTM of all meetings when anyone speaks, by recording. */
async function readTurns(): Promise<Map<string, SpeechSpan[]>> {
  const turns = new Map<string, SpeechSpan[]>()
  for (const line of (await readFile(join(realDataDir, 'meetings', 'turns.rttm'), 'utf8')).trim().split('\n')) {
    const [, name = '', , start, length] = line.split(' ')
    const turn = { startMs: Number(start) * 1000, endMs: (Number(start) + Number(length)) * 1000 }
    turns.set(name, [...(turns.get(name) ?? []), turn])
  }
  return turns
}

function holds(spans: SpeechSpan[], ms: number, marginMs = 0): boolean {
  return spans.some(({ startMs, endMs }) => ms >= startMs - marginMs && ms < endMs + marginMs)
}

/** Returns the turn boundaries that do not fall within another speaker's turn. */
function listEdges(turns: SpeechSpan[]): number[] {
  const edges = turns.flatMap(({ startMs, endMs }) => [startMs, endMs])
  return edges.filter((edge) => !turns.some(({ startMs, endMs }) => edge > startMs && edge < endMs))
}

async function readSamples(path: string): Promise<Float32Array> {
  return readChannel(await decodeAudio(join(realDataDir, path), { workDir: await temporaryFolder() }), 0)
}

/** Writes a minute and a half of one reader on an 8 kHz line, with echo and kitchen noise 4 dB below the voice. */
async function writeNoisyCall(): Promise<{ path: string; said: SpeechSpan[] }> {
  const call: number[] = []
  const said: SpeechSpan[] = []
  const names = (await readdir(join(realDataDir, 'speech'))).filter((name) => name.startsWith('en-')).slice(0, 12)
  for (const name of names) {
    const voice = atLevel(await readSamples(join('speech', name)), -21)
    said.push({ startMs: call.length / 16, endMs: (call.length + voice.length) / 16 })
    for (const sample of [...voice, ...silence(4000)]) call.push(sample)
  }
  const room = atLevel(await readSamples(join('noise', 'sc_doing_the_dishes.flac')), -25)
  const at = (sample: number, delayMs: number) => call[sample - delayMs * 16] ?? 0
  const heard = (sample: number) =>
    0.63 * (at(sample, 0) + 0.35 * at(sample, 70) + 0.2 * at(sample, 150)) + (room[sample % room.length] ?? 0)
  const line = Float32Array.from({ length: call.length / 2 }, (_, pair) => (heard(2 * pair) + heard(2 * pair + 1)) / 2)
  const path = join(await temporaryFolder(), 'call.wav')
  await writeWav(path, [line], 8000)
  return { path, said }
}

describe.skipIf(lacks('recordings'))('recordings of people', () => {
  test('in meetings misses at most 5% of the speech and adds at most 1%', async () => {
    const score = { speech: 0, missed: 0, added: 0 }
    for (const [name, turns] of await readTurns()) {
      const { decoded, spans } = await detect(join('meetings', `${name}.flac`))
      const edges = listEdges(turns)
      for (let ms = 5; ms < decoded.durationMs; ms += 10) {
        if (edges.some((edge) => Math.abs(edge - ms) < collarMs)) continue
        const [isSpeech, isDetected] = [holds(turns, ms), holds(spans, ms, paddingMs)]
        if (isSpeech) score.speech += 1
        if (isSpeech && !isDetected) score.missed += 1
        if (!isSpeech && isDetected) score.added += 1
      }
    }
    expect(score.missed / score.speech).toBeLessThanOrEqual(0.05)
    expect(score.added / score.speech).toBeLessThanOrEqual(0.01)
  })

  test('detects no speech in noise and music', async () => {
    for (const name of await readdir(join(realDataDir, 'noise'))) {
      const { spans } = await detect(join('noise', name))
      expect({ name, spans }).toEqual({ name, spans: [] })
    }
  })

  test('misses less than a twentieth of speech on a line with noise and echo', async () => {
    const { path, said } = await writeNoisyCall()
    const decoded = await decodeAudio(path, { workDir: await temporaryFolder() })
    const [spans = []] = (await detectSpeech(decoded)).spans
    let missed = 0
    let all = 0
    for (const { startMs, endMs } of said) {
      for (let ms = startMs + collarMs; ms < endMs - collarMs; ms += 10) {
        all += 1
        if (!holds(spans, ms, paddingMs)) missed += 1
      }
    }
    expect(missed / all).toBeLessThan(0.05)
  })

  test('misses less than 1% of read speech', async () => {
    const names = (await readdir(join(realDataDir, 'speech'))).filter((name) => name.endsWith('.flac'))
    let loud = 0
    let missed = 0
    for (const name of names.filter((_, index) => index % 5 === 0)) {
      const { decoded, spans } = await detect(join('speech', name))
      const [frames = new Float32Array()] = decoded.frames
      const minLevel = percentile(frames, 0.95) / 10
      for (const [frame, level] of frames.entries()) {
        if (level < minLevel) continue
        loud += 1
        if (!holds(spans, frame * 20 + 10)) missed += 1
      }
    }
    expect(missed / loud).toBeLessThan(0.01)
  })
})
