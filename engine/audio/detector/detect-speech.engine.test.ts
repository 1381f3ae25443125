import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { decodeSampleCall, writeMonoCall } from '#engine/speech/testing/sample-call.ts'
import type { SampleLine } from '#engine/speech/testing/sample-call.ts'
import { atLevel, mix, noise, silence, writeWav } from '#testing/audio.ts'
import { isEndurance } from '#testing/rounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeAudio } from '../decode.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { detectSpeech } from './detect-speech.ts'
import { detectorPids } from './testing/detector-pids.ts'
import { nonSpeechSounds, readChannel } from './testing/sounds.ts'

afterEach(() => {
  const pids = detectorPids()
  if (pids.length > 0) throw new Error(`Detector processes are still running: ${pids.join(', ')}`)
})

async function decodeChannels(...channels: Float32Array[]): Promise<DecodedAudio> {
  const workDir = await temporaryFolder()
  await writeWav(join(workDir, 'call.wav'), channels)
  return decodeAudio(join(workDir, 'call.wav'), { workDir })
}

/** Returns the utterances of one speaker of the sample call. */
async function sampleVoices(channel: number): Promise<{ sound: Float32Array; durationMs: number }[]> {
  const { decoded, lines } = await decodeSampleCall(await temporaryFolder())
  const samples = await readChannel(decoded, channel)
  return lines
    .filter((line) => line.channel === channel)
    .map(({ start, end }) => ({
      sound: atLevel(samples.slice(start * 16_000, end * 16_000), -20),
      durationMs: (end - start) * 1000,
    }))
}

function expectNear(spans: SpeechSpan[] | undefined, expected: SpeechSpan[], toleranceMs: number): void {
  expect(spans?.length).toBe(expected.length)
  for (const [index, { startMs, endMs }] of expected.entries()) {
    expect(Math.abs((spans?.[index]?.startMs ?? 0) - startMs)).toBeLessThanOrEqual(toleranceMs)
    expect(Math.abs((spans?.[index]?.endMs ?? 0) - endMs)).toBeLessThanOrEqual(toleranceMs)
  }
}

/** Returns the speech of each channel. */
async function findSpans(...args: Parameters<typeof detectSpeech>): Promise<SpeechSpan[][]> {
  return (await detectSpeech(...args)).spans
}

describe('without speech', () => {
  test.each(Object.keys(nonSpeechSounds))('%s is not speech, loud or faint', async (name) => {
    const sound = nonSpeechSounds[name]?.(12_000) ?? silence(0)
    for (const gainDb of [0, -20]) {
      const decoded = await decodeChannels(mix(noise(12_000, { db: -60 }), [{ sound, gainDb }]))
      expect(await findSpans(decoded)).toEqual([[]])
    }
  })

  test('noise of any level is not speech', async () => {
    for (const db of [-70, -40, -15]) {
      const decoded = await decodeChannels(noise(10_000, { db, seed: 1 }), noise(10_000, { db: db - 6, seed: 2 }))
      expect(await findSpans(decoded)).toEqual([[], []])
    }
  })

  test('digital silence starts no process', async () => {
    const decoded = { ...(await decodeChannels(silence(2000), silence(2000))), pcmPath: '/nowhere' }
    expect(await findSpans(decoded)).toEqual([[], []])
  })

  test('an empty recording and one of 10 ms contain no speech', async () => {
    const decoded = await decodeChannels(noise(2000, { db: -20 }))
    await truncate(decoded.pcmPath, 320)
    expect(await findSpans(decoded)).toEqual([[]])
    await truncate(decoded.pcmPath, 0)
    expect(await findSpans(decoded)).toEqual([[]])
    expect(await findSpans({ ...decoded, frames: [new Float32Array()], peaks: [new Float32Array()] })).toEqual([[]])
  })
})

describe('with speech', () => {
  test('finds every line of the sample call within 100 ms', async () => {
    const { decoded, lines } = await decodeSampleCall(await temporaryFolder())
    const spans = await findSpans(decoded)
    const toSpan = ({ start, end }: SampleLine) => ({ startMs: start * 1000, endMs: end * 1000 })
    for (const channel of [0, 1]) {
      const expected = lines.filter((line) => line.channel === channel).map(toSpan)
      expectNear(spans[channel], expected, 100)
    }
  })

  test('returns one list for mono and for mono saved as stereo', async () => {
    const [voice = silence(0)] = (await sampleVoices(0)).map(({ sound }) => sound)
    const call = mix(noise(4000, { db: -60 }), [{ sound: voice, atMs: 1000 }])
    const mono = await findSpans(await decodeChannels(call))
    expect(mono.map(({ length }) => length)).toEqual([1])
    expect(await findSpans(await decodeChannels(call, call))).toEqual(mono)
  })

  test('detects quiet and loud speech, also over noise', async () => {
    const voices = await sampleVoices(1)
    for (const { speechDb, noiseDb } of [
      { speechDb: -45, noiseDb: -70 },
      { speechDb: -25, noiseDb: -40 },
      { speechDb: -10, noiseDb: -50 },
    ]) {
      const sounds = voices.slice(0, 3).map(({ sound }, index) => ({
        sound: atLevel(sound, speechDb),
        atMs: 1000 + 4000 * index,
      }))
      const [spans] = await findSpans(await decodeChannels(mix(noise(14_000, { db: noiseDb }), sounds)))
      const expected = voices.slice(0, 3).map(({ durationMs }, index) => ({
        startMs: 1000 + 4000 * index,
        endMs: 1000 + 4000 * index + durationMs,
      }))
      expectNear(spans, expected, 250)
    }
  })

  test('joins across a pause of 350 ms and splits at one of 700 ms', async () => {
    const [{ sound, durationMs } = { sound: silence(0), durationMs: 0 }] = await sampleVoices(0)
    const starts = [1000, 1000 + durationMs + 350, 1000 + 2 * durationMs + 1050]
    const call = mix(
      noise(9000, { db: -65 }),
      starts.map((atMs) => ({ sound, atMs })),
    )
    const [spans] = await findSpans(await decodeChannels(call))
    const [first = 0, second = 0, third = 0] = starts
    expectNear(
      spans,
      [
        { startMs: first, endMs: second + durationMs },
        { startMs: third, endMs: third + durationMs },
      ],
      150,
    )
  })

  test('a recording that is never quiet is one span', async () => {
    const voices = await sampleVoices(1)
    let atMs = 0
    const sounds = Array.from({ length: 30 }, (_, index) => {
      const { sound, durationMs } = voices[index % voices.length] ?? { sound: silence(0), durationMs: 0 }
      const placed = { sound, atMs }
      atMs += durationMs
      return placed
    })
    const [spans] = await findSpans(await decodeChannels(mix(silence(atMs), sounds)))
    expectNear(spans, [{ startMs: 0, endMs: atMs }], 250)
  })

  test('an odd byte at the end of the samples is ignored', async () => {
    const { decoded } = await decodeSampleCall(await temporaryFolder())
    const spans = await findSpans(decoded)
    await writeFile(decoded.pcmPath, Buffer.concat([await readFile(decoded.pcmPath), Buffer.from([1])]))
    expect(await findSpans(decoded)).toEqual(spans)
  })
})

describe('bleed', () => {
  const starts = { left: [1000, 5000, 13_000, 17_000], right: [9000, 21_000] }

  async function makeCall(bleedDb: number, interruption?: { sound: Float32Array; atMs: number }) {
    const [own, others] = [await sampleVoices(0), await sampleVoices(1)]
    const left = starts.left.map((atMs, index) => ({ sound: own[index]?.sound ?? silence(0), atMs }))
    const right = starts.right.map((atMs, index) => ({ sound: others[index]?.sound ?? silence(0), atMs }))
    const spoken = interruption ? [...right, interruption] : right
    const leak = (sounds: typeof left) => sounds.map(({ sound, atMs }) => ({ sound, atMs: atMs + 25, gainDb: bleedDb }))
    return decodeChannels(
      mix(noise(25_000, { db: -65, seed: 1 }), [...left, ...leak(spoken)]),
      mix(noise(25_000, { db: -65, seed: 2 }), [...spoken, ...leak(left)]),
    )
  }

  const seconds = (spans: SpeechSpan[] | undefined) => spans?.map(({ startMs }) => Math.round(startMs / 1000))

  test.each([-40, -30, -20, -14])('of %i dB does not count as speech', async (bleedDb) => {
    const [left, right] = await findSpans(await makeCall(bleedDb))
    expect(seconds(left)).toEqual([1, 5, 13, 17])
    expect(seconds(right)).toEqual([9, 21])
  })

  test('a quiet voice that talks over the other one is kept', async () => {
    const [{ sound, durationMs } = { sound: silence(0), durationMs: 0 }] = (await sampleVoices(1)).slice(3)
    const [, right] = await findSpans(await makeCall(-35, { sound: atLevel(sound, -35), atMs: 13_100 }))
    expect(seconds(right)).toEqual([9, 13, 21])
    expect(Math.abs((right?.[1]?.startMs ?? 0) - 13_100)).toBeLessThanOrEqual(250)
    expect(Math.abs((right?.[1]?.endMs ?? 0) - 13_100 - durationMs)).toBeLessThanOrEqual(250)
  })
})

describe('two voices at once', () => {
  test('are two voices in short files, whatever their levels', { tags: ['rounds'] }, async () => {
    const [own, others] = [await sampleVoices(0), await sampleVoices(1)]
    const levels = [0, 10, 20]
    for (const [index, { sound: left, durationMs }] of own.entries()) {
      for (const quieterDb of isEndurance ? levels : [levels[index % levels.length] ?? 0]) {
        const right = atLevel(others[index]?.sound ?? silence(0), -20 - quieterDb)
        const empty = silence(Math.max(durationMs, others[index]?.durationMs ?? 0))
        const { spans, bleed } = await detectSpeech(
          await decodeChannels(mix(empty, [{ sound: left }]), mix(empty, [{ sound: right }])),
        )
        expect({ index, quieterDb, voices: spans.map(({ length }) => length), bleed }).toEqual({
          index,
          quieterDb,
          voices: [1, 1],
          bleed: [[], []],
        })
      }
    }
  })
})

describe('the process', () => {
  /** Returns the half-minute sample call on one channel, repeated `times` times. */
  async function longCall(times: number): Promise<DecodedAudio> {
    const workDir = await temporaryFolder()
    const { path } = await writeMonoCall(workDir)
    const decoded = await decodeAudio(path, { workDir })
    const once = await readFile(decoded.pcmPath)
    await writeFile(decoded.pcmPath, Buffer.concat(Array.from({ length: times }, () => once)))
    return { ...decoded, durationMs: decoded.durationMs * times }
  }

  test('reports progress and exits afterwards', async () => {
    const shares: number[] = []
    await detectSpeech(await longCall(7), { onProgress: (share) => shares.push(share) })
    expect(shares.length).toBeGreaterThan(5)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeGreaterThan(0.9)
  })

  test('an abort stops it within 2 s', async () => {
    const cancel = new AbortController()
    let cancelledAt = 0
    const onProgress = () => {
      cancelledAt ||= performance.now()
      cancel.abort()
    }
    const detection = detectSpeech(await longCall(3), { signal: cancel.signal, onProgress })
    await expect(detection).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(performance.now() - cancelledAt).toBeLessThan(2000)
    expect(detectorPids()).toEqual([])
  })

  test('killed once, it is started again; killed twice, the detection fails with a message', async () => {
    const decoded = await longCall(4)
    let kills = 0
    const killUpTo = (count: number) => () => {
      if (kills >= count) return
      kills += 1
      for (const pid of detectorPids()) process.kill(pid, 'SIGKILL')
    }
    const [left] = await findSpans(decoded, { onProgress: killUpTo(1) })
    expect(left?.length).toBeGreaterThan(40)
    kills = 0
    await expect(detectSpeech(decoded, { onProgress: killUpTo(2) })).rejects.toMatchObject({
      code: 'internal',
      message: 'The speech detector stopped unexpectedly (SIGKILL).',
    })
  })

  test('a missing samples file fails the detection', async () => {
    const { decoded } = await decodeSampleCall(await temporaryFolder())
    await expect(detectSpeech({ ...decoded, pcmPath: '/nowhere' })).rejects.toThrow('ENOENT')
  })
})
