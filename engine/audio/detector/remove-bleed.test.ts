import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mix, noise, seededRandom, silence, testRate } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createFrameStatistics } from '../frame-statistics.ts'
import { removeBleed } from './remove-bleed.ts'

const options = { minSilenceMs: 500, minSpeechMs: 100 }

/** Stores the samples of two channels as `decodeAudio` does. */
async function store(left: Float32Array, right: Float32Array) {
  const samples = new Int16Array(left.length * 2)
  for (const [channel, sound] of [left, right].entries()) {
    for (const [at, sample] of sound.entries()) samples[at * 2 + channel] = Math.round(sample * 32_767)
  }
  const pcmPath = join(await temporaryFolder(), 'pcm.s16le')
  await writeFile(pcmPath, samples)
  const statistics = createFrameStatistics(2)
  statistics.add(samples)
  return { pcmPath, frames: statistics.finish().frames }
}

/** Returns a sound with voice-like syllables: buzzes of changing pitch, four a second, with hiss between them. */
function voice(durationMs: number, db: number, seed: number): Float32Array {
  const random = seededRandom(seed)
  const hiss = noise(durationMs, { db: db - 14, seed })
  const [peak, pitch] = [10 ** (db / 20) * 2.5, 100 + 80 * random()]
  let phase = random()
  return silence(durationMs).map((_, at) => {
    const seconds = at / testRate
    phase += (pitch * (1 + 0.2 * Math.sin(3 * seconds + seed)) * (1 + 0.02 * (random() - 0.5))) / testRate
    const syllable = Math.max(0, Math.sin(2 * Math.PI * (4 + 0.1 * seed) * seconds + seed)) ** 0.5
    return peak * syllable * ((phase % 1) - 0.5) + (hiss[at] ?? 0)
  })
}

const room = (durationMs: number, seed: number) => noise(durationMs, { db: -70, seed })
const span = (startMs: number, endMs: number) => ({ startMs, endMs })

test('drops a span of bleed, trims bleed from the end of the own voice, and lists both', async () => {
  const said = [
    { sound: voice(2000, -20, 1), atMs: 1000 },
    { sound: voice(3000, -20, 2), atMs: 6000 },
  ]
  const leaked = said.map(({ sound, atMs }) => ({ sound, atMs: atMs + 25, gainDb: -30 }))
  const own = { sound: voice(1400, -22, 3), atMs: 4500 }
  const recording = await store(mix(room(20_000, 1), said), mix(room(20_000, 2), [...leaked, own]))
  const spans = [
    [span(1000, 3000), span(6000, 9000)],
    [span(1040, 3040), span(4500, 9040)],
  ]
  const { spans: kept, bleed } = await removeBleed(recording, spans, options)
  expect(kept[0]).toEqual(spans[0])
  expect(kept[1]?.map(({ startMs }) => startMs)).toEqual([4500])
  expect(Math.abs((kept[1]?.[0]?.endMs ?? 0) - 5900)).toBeLessThanOrEqual(150)
  expect(bleed).toEqual([[], [span(1040, 3040), span(kept[1]?.[0]?.endMs ?? 0, 9040)]])
})

test.each([0, 5, 10, 20])('keeps two voices that speak at once throughout, one %i dB quieter', async (quieterDb) => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const [left, right] = [voice(3000, -20, seed), voice(3000, -20 - quieterDb, seed + 10)]
    const spans = [[span(0, 3000)], [span(0, 3000)]]
    const result = await removeBleed(await store(left, right), spans, options)
    expect(result).toEqual({ spans, bleed: [[], []] })
  }
})

test.each([0, 5, 40, 120, 230])('finds bleed that arrives %i ms later', async (delayMs) => {
  const said = voice(4000, -20, 1)
  const right = mix(room(6000, 2), [{ sound: said, atMs: 500 + delayMs, gainDb: -22 }])
  const recording = await store(mix(room(6000, 1), [{ sound: said, atMs: 500 }]), right)
  const leaked = span(500 + delayMs, 4500 + delayMs)
  const spans = [[span(500, 4500)], [leaked]]
  expect(await removeBleed(recording, spans, options)).toEqual({ spans: [spans[0], []], bleed: [[], [leaked]] })
})

test('finds bleed of inverted polarity, and of a path with an echo', async () => {
  const said = voice(4000, -20, 1)
  const right = mix(room(6000, 2), [
    { sound: said.map((sample) => -sample), atMs: 520, gainDb: -24 },
    { sound: said, atMs: 523, gainDb: -30 },
  ])
  const recording = await store(mix(room(6000, 1), [{ sound: said, atMs: 500 }]), right)
  const { spans } = await removeBleed(recording, [[span(500, 4500)], [span(520, 4520)]], options)
  expect(spans).toEqual([[span(500, 4500)], []])
})

test('keeps a voice that is quieter than the bleed it speaks over', async () => {
  const said = { sound: voice(6000, -20, 1), atMs: 500 }
  const own = { sound: voice(2000, -44, 2), atMs: 2500 }
  const right = mix(room(8000, 2), [{ ...said, atMs: 530, gainDb: -20 }, own])
  const recording = await store(mix(room(8000, 1), [said]), right)
  const { spans } = await removeBleed(recording, [[span(500, 6500)], [span(530, 6530)]], options)
  expect(spans[1]).toHaveLength(1)
  expect(Math.abs((spans[1]?.[0]?.startMs ?? 0) - 2500)).toBeLessThanOrEqual(200)
  expect(Math.abs((spans[1]?.[0]?.endMs ?? 0) - 4500)).toBeLessThanOrEqual(200)
})

test('does not change nearly identical channels or a silent one', async () => {
  const said = mix(room(5000, 1), [{ sound: voice(2000, -20, 1), atMs: 1000 }])
  const spans = [[span(1000, 3000)], [span(1000, 3000)]]
  const louder = await store(
    said,
    said.map((sample) => sample * 0.7),
  )
  expect((await removeBleed(louder, spans, options)).spans).toEqual(spans)
  const silent = await store(said, silence(5000))
  expect((await removeBleed(silent, [spans[0] ?? [], []], options)).spans).toEqual([spans[0], []])
})
