import { atLevel, mix, noise, seededRandom, silence, testRate } from '#testing/audio.ts'
import { readClips, readSamples } from '../voices/clips.ts'

/** A recording of two people, before either is heard in the other's channel. */
export interface VoicePair {
  name: string
  /** Each person's channel by itself, at its level, with room noise left out. */
  voices: [Float32Array, Float32Array]
  overlap: number
  levelDifferenceDb: number
  /** How much later each voice arrives in the other channel. */
  delayMs: number
}

const overlaps = [0, 0.25, 0.5, 0.75, 1]
const levelDifferencesDb = [0, 5, 10, 15, 20]
const marginMs = 500
const loudDb = -20
/** Below the quietest voice and the faintest bleed of a loud one. */
const noiseDb = -65

/** Returns pairs of clips of different readers: every overlap with every difference of levels, in turn. */
export async function readPairs(count: number): Promise<VoicePair[]> {
  const random = seededRandom(1)
  const lefts = (await readClips({ only: ['en', 'prs'], perCorpus: 30 })).filter(({ seconds }) => seconds >= 1.5)
  const rights = (await readClips({ only: ['ar'] })).filter(({ seconds }) => seconds >= 1.5)
  const pairs: VoicePair[] = []
  for (let index = 0; index < Math.min(count, lefts.length, rights.length); index += 1) {
    const [left, right] = [lefts[index], rights[index]]
    if (!left || !right) break
    const overlap = overlaps[index % overlaps.length] ?? 0
    const levelDifferenceDb = levelDifferencesDb[Math.floor(index / overlaps.length) % levelDifferencesDb.length] ?? 0
    const isLeftLoud = random() < 0.5
    const sounds = [await readSamples(left.path), await readSamples(right.path)] as const
    pairs.push({
      name: `${left.corpus} ${right.corpus} ${index}`,
      voices: place(
        atLevel(sounds[0], isLeftLoud ? loudDb : loudDb - levelDifferenceDb),
        atLevel(sounds[1], isLeftLoud ? loudDb - levelDifferenceDb : loudDb),
        overlap,
      ),
      overlap,
      levelDifferenceDb,
      delayMs: random() * 60,
    })
  }
  return pairs
}

/** Places the second voice so that both speak for a share of the shorter one; with a share of 1 they begin together. */
function place(first: Float32Array, second: Float32Array, overlap: number): [Float32Array, Float32Array] {
  const [firstMs, secondMs] = [durationMs(first), durationMs(second)]
  const offsetMs = overlap === 1 ? 0 : firstMs - overlap * Math.min(firstMs, secondMs)
  const empty = silence(marginMs + Math.max(firstMs, offsetMs + secondMs) + marginMs)
  return [mix(empty, [{ sound: first, atMs: marginMs }]), mix(empty, [{ sound: second, atMs: marginMs + offsetMs }])]
}

function durationMs(sound: Float32Array): number {
  return (sound.length / testRate) * 1000
}

/** Returns both channels of a pair with room noise and, if `bleedDb` is given, each voice in the other channel at that level. */
export function mixPair(
  { voices: [left, right], delayMs }: VoicePair,
  bleedDb: number | null,
): [Float32Array, Float32Array] {
  const channel = (own: Float32Array, other: Float32Array, seed: number) =>
    mix(own, [
      { sound: noise(durationMs(own), { db: noiseDb, seed }) },
      ...(bleedDb === null ? [] : [{ sound: other, atMs: delayMs, gainDb: bleedDb }]),
    ])
  return [channel(left, right, 1), channel(right, left, 2)]
}
