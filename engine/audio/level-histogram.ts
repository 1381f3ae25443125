import { fromDb } from './levels.ts'

const lowestDb = -100
const binsPerDb = 4
const binCount = -lowestDb * binsPerDb + 1

/** Levels (RMS, 0 to 1) counted in steps of a quarter decibel; below -100 dB counts as zero. */
export interface LevelHistogram {
  add(level: number): void
  remove(level: number): void
  /** The level below which `share` (0 to 1) of the counted ones lie; 0 for none. */
  percentile(share: number): number
}

export function createLevelHistogram(): LevelHistogram {
  const counts = new Int32Array(binCount)
  let total = 0

  function count(level: number, change: number): void {
    const bin = toBin(level)
    counts[bin] = (counts[bin] ?? 0) + change
    total += change
  }

  return {
    add: (level) => count(level, 1),
    remove: (level) => count(level, -1),
    percentile(share) {
      const wanted = Math.floor(share * total)
      let seen = 0
      for (let bin = 0; bin < binCount; bin += 1) {
        seen += counts[bin] ?? 0
        if (seen > wanted) return toLevel(bin)
      }
      return 0
    },
  }
}

function toBin(level: number): number {
  if (level <= fromDb(lowestDb)) return 0
  return Math.min(binCount - 1, Math.round((20 * Math.log10(level) - lowestDb) * binsPerDb))
}

function toLevel(bin: number): number {
  return bin === 0 ? 0 : fromDb(bin / binsPerDb + lowestDb)
}
