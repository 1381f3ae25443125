import { seededRandom } from '#testing/audio.ts'
import { normalize } from '../average-linkage.ts'
import type { VoiceWindow } from '../voice-window.ts'

const dimensions = 64

export interface WindowPlan {
  /** The voice number of each turn. */
  turns: readonly number[]
  /** Windows per turn, half overlapping; turns are two seconds apart. Default 5. */
  windowsPerTurn?: number
  /** Spread of the windows of one voice: 1 gives a mean cosine of about 0.5 between them, the default 0.5 about 0.8. */
  scatter?: number
  seed?: number
}

/** Returns windows with synthetic embeddings: one direction per voice, nearly orthogonal to each other, with a spread around it. */
export function planWindows({ turns, windowsPerTurn = 5, scatter = 0.5, seed = 1 }: WindowPlan): VoiceWindow[] {
  const random = seededRandom(seed)
  let atMs = 0
  return turns.flatMap((voice) => {
    const windows = Array.from({ length: windowsPerTurn }, (_, index) => ({
      startMs: atMs + index * 800,
      endMs: atMs + index * 800 + 1600,
      embedding: scatterAround(voiceDirection(voice), scatter, random),
    }))
    atMs = (windows.at(-1)?.endMs ?? atMs) + 2000
    return windows
  })
}

/** Returns a unit vector that is different for each voice number. */
export function voiceDirection(voice: number): Float32Array {
  return randomDirection(seededRandom(1000 + voice))
}

function scatterAround(center: Float32Array, scatter: number, random: () => number): Float32Array {
  const offset = randomDirection(random)
  return normalize(center.map((value, at) => value + scatter * (offset[at] ?? 0))) ?? center
}

function randomDirection(random: () => number): Float32Array {
  const vector = new Float32Array(dimensions).map(() => random() + random() + random() - 1.5)
  return normalize(vector) ?? vector
}
