import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeAudio } from '#engine/audio/decode.ts'
import { readChannel } from '#engine/audio/detector/testing/sounds.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { childPids, decodeSampleCall } from '#engine/speech/testing/sample-call.ts'
import { atLevel, mix, noise, silence, writeWav } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeakers, bundledNetworks } from './find-speakers.ts'

/** All speech of each of three synthetic voices, without pauses; the third is the first made deeper and slower. */
let voices: Float32Array[] | undefined

beforeEach(async () => {
  voices ??= await readVoices()
})

async function readVoices(): Promise<Float32Array[]> {
  const { decoded, lines } = await decodeSampleCall(await temporaryFolder())
  const [left, right] = [await readChannel(decoded, 0), await readChannel(decoded, 1)]
  const speechOf = (samples: Float32Array, channel: number) => {
    const own = lines.filter((line) => line.channel === channel)
    return atLevel(concat(own.map(({ start, end }) => samples.slice(start * 16_000, end * 16_000))), -22)
  }
  return [speechOf(left, 0), speechOf(right, 1), slowDown(speechOf(left, 0), 1.3)]
}

afterEach(() => {
  const pids = childPids('speaker-child.ts')
  if (pids.length > 0) throw new Error(`Speaker processes are still running: ${pids.join(', ')}`)
})

function concat(parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function slowDown(sound: Float32Array, factor: number): Float32Array {
  return Float32Array.from({ length: Math.floor(sound.length * factor) }, (_, at) => {
    const place = at / factor
    const [before = 0, after = 0] = [sound[Math.floor(place)], sound[Math.floor(place) + 1]]
    return before + (after - before) * (place % 1)
  })
}

/** Downsamples to roughly telephone quality: applies a running mean of four samples twice, then keeps every second sample. */
function downsample(sound: Float32Array): Float32Array {
  const smooth = (from: Float32Array) =>
    from.map((_, at) => ((from[at] ?? 0) + (from[at - 1] ?? 0) + (from[at - 2] ?? 0) + (from[at - 3] ?? 0)) / 4)
  const low = smooth(smooth(sound))
  return Float32Array.from({ length: Math.floor(low.length / 2) }, (_, at) => low[at * 2] ?? 0)
}

/** Records these voices at 8 kHz, five seconds each with a second between them. */
async function recordTurns(turns: number[]): Promise<{ decoded: DecodedAudio; spans: SpeechSpan[] }> {
  const next = [0, 0, 0]
  const sounds = turns.map((voice, index) => {
    const sound = voices?.[voice] ?? silence(0)
    const start = (next[voice] ?? 0) % Math.max(1, sound.length - 5 * 16_000)
    next[voice] = start + 4 * 16_000
    return { sound: sound.slice(start, start + 5 * 16_000), atMs: 500 + index * 6000 }
  })
  const decoded = await record(downsample(mix(noise(turns.length * 6000 + 500, { db: -65 }), sounds)), 8000)
  return { decoded, spans: turns.map((_, index) => ({ startMs: 500 + index * 6000, endMs: 5500 + index * 6000 })) }
}

/** Records the first voice for eight seconds at 16 kHz. */
async function recordWide(): Promise<{ decoded: DecodedAudio; spans: SpeechSpan[] }> {
  const sound = voices?.[0]?.slice(0, 8 * 16_000) ?? silence(0)
  const decoded = await record(mix(noise(8000, { db: -40 }), [{ sound }]))
  return { decoded, spans: [{ startMs: 0, endMs: 8000 }] }
}

async function record(sound: Float32Array, rate = 16_000): Promise<DecodedAudio> {
  const workDir = await temporaryFolder()
  await writeWav(join(workDir, 'call.wav'), [sound], rate)
  return decodeAudio(join(workDir, 'call.wav'), { workDir })
}

describe('voices on one channel', () => {
  test.each([0, 1])('voice %i alone is one voice', async (voice) => {
    // Only ten seconds of each voice exist, and a repeated sentence would be more similar to itself than to the other sentences.
    const { decoded, spans } = await recordTurns([voice, voice])
    const found = await findSpeakers(decoded, 0, spans)
    expect(found).toMatchObject({ voiceCount: 1, band: 'telephone' })
    expect(found.turns.every((turn) => turn.voice === 0)).toBe(true)
  })

  test.each([
    [2, [0, 1, 0, 1, 0]],
    [3, [1, 2, 0, 1, 2, 0]],
  ])('%i voices, if the number is known, are separated and numbered by appearance', async (count, turns) => {
    const { decoded, spans } = await recordTurns(turns)
    const found = await findSpeakers(decoded, 0, spans, { voiceCount: count })
    expect(found).toMatchObject({ voiceCount: count, band: 'telephone' })
    const order = [...new Set(turns)]
    for (const [index, voice] of turns.entries()) {
      const middleMs = 3000 + index * 6000
      const turn = found.turns.find(({ startMs, endMs }) => startMs <= middleMs && endMs > middleMs)
      expect([index, turn?.voice]).toEqual([index, order.indexOf(voice)])
    }
    expect(found.turns.flatMap(({ startMs, endMs }) => [startMs, endMs]).every(Number.isFinite)).toBe(true)
  })

  test('finds exactly the given number of voices', async () => {
    const { decoded, spans } = await recordTurns([0, 1, 0, 1])
    expect(await findSpeakers(decoded, 0, spans, { voiceCount: 1 })).toMatchObject({ voiceCount: 1 })
    expect(await findSpeakers(decoded, 0, spans, { voiceCount: 2 })).toMatchObject({ voiceCount: 2 })
  })

  test('detects wide-band audio', async () => {
    const { decoded, spans } = await recordWide()
    const found = await findSpeakers(decoded, 0, spans)
    expect(found.band).toBe('wide')
    expect(found.turns.every(({ startMs, endMs }) => startMs < endMs)).toBe(true)
  })
})

describe('little or no speech', () => {
  test('no speech has no voices and starts no process', async () => {
    const decoded = await record(silence(2000))
    expect(await findSpeakers({ ...decoded, pcmPath: '/nowhere' }, 0, [])).toMatchObject({ turns: [], voiceCount: 0 })
  })

  test.each([80, 300])('%i ms of speech are one voice', async (durationMs) => {
    const { decoded } = await recordTurns([0])
    const span = { startMs: 1000, endMs: 1000 + durationMs }
    expect(await findSpeakers(decoded, 0, [span])).toMatchObject({ turns: [{ ...span, voice: 0 }], voiceCount: 1 })
  })

  test('digital silence detected as speech is one voice', async () => {
    const decoded = await record(silence(5000))
    const span = { startMs: 0, endMs: 5000 }
    expect(await findSpeakers(decoded, 0, [span])).toMatchObject({ turns: [{ ...span, voice: 0 }], voiceCount: 1 })
  })

  test('handles a samples file that ends before the speech', async () => {
    const { decoded, spans } = await recordTurns([0, 1])
    await truncate(decoded.pcmPath, 16_000 * 2 * 3 + 1)
    const { turns } = await findSpeakers(decoded, 0, spans)
    expect(turns.every(({ startMs, endMs, voice }) => startMs < endMs && voice >= 0)).toBe(true)
  })
})

describe('the process', () => {
  test('reports progress up to 1', async () => {
    const { decoded, spans } = await recordTurns([0, 1, 0, 1])
    const shares: number[] = []
    await findSpeakers(decoded, 0, spans, { onProgress: (share) => shares.push(share) })
    expect(shares.length).toBeGreaterThan(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
  })

  test('an abort stops it within 2 s', async () => {
    const { decoded, spans } = await recordTurns([0, 1, 0, 1, 0, 1])
    const cancel = new AbortController()
    let cancelledAt = 0
    const onProgress = () => {
      cancelledAt ||= performance.now()
      cancel.abort()
    }
    const search = findSpeakers(decoded, 0, spans, { signal: cancel.signal, onProgress })
    await expect(search).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(performance.now() - cancelledAt).toBeLessThan(2000)
  })

  test.each(['embeddingPath', 'segmentationPath'] as const)(
    'a damaged or missing file of %s fails with a message and leaves this process running',
    async (file) => {
      // Wide-band audio needs both networks.
      const { decoded, spans } = await recordWide()
      const path = join(await temporaryFolder(), 'network.onnx')
      const networks = { ...bundledNetworks, [file]: path }
      await expect(findSpeakers(decoded, 0, spans, { networks })).rejects.toMatchObject({
        code: 'model_unavailable',
        message: 'The diarization network network.onnx is missing.',
      })
      await writeFile(path, 'no network')
      await expect(findSpeakers(decoded, 0, spans, { networks })).rejects.toMatchObject({
        code: 'model_unavailable',
        message: expect.stringContaining('network.onnx'),
      })
    },
  )

  test('a missing samples file fails the search', async () => {
    const { decoded, spans } = await recordTurns([0])
    await expect(findSpeakers({ ...decoded, pcmPath: '/nowhere' }, 0, spans)).rejects.toThrow('ENOENT')
  })
})
