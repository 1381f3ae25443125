/** A piece of work, such as a window of audio. */
export interface WorkUnit {
  /** Costs of units are compared within a group, such as the windows of one model. */
  group: string
  /** Expected cost relative to other units of its group. */
  weight: number
}

export interface TimeLeft {
  /**
   * Records that a unit was finished. `setupMs` of the time since the last unit was spent on setup for its group, such as loading a model:
   * this is expected again at every change of group.
   */
  finish(unit: WorkUnit, options?: { setupMs?: number }): void
  /** Returns the seconds that the remaining units will take; null until there is a pace. */
  seconds(): number | null
}

/** With fewer units in a group than this, the differences between them hide a change of pace. */
const minUnitsForTrend = 20
/** A unit counts half once this share of all units, and at least this many, are done after it: other jobs come and go on the machine. */
const halfLifeShare = 0.1
const minHalfLifeUnits = 10
/** The trend is followed this far from the mean towards its end: less lags behind, more mistakes chance for a trend. */
const trendShare = 0.5
/** Maximum factor by which a trend may change the mean pace. */
const maxTrend = 3

interface Sample {
  unit: WorkUnit
  /** Milliseconds per unit of weight. */
  pace: number
  /** Total weight of all units finished before this one, which shows how long ago it was. */
  position: number
}

/**
 * Estimates how long the rest of the work takes from how long each unit has taken so far.
 *
 * @param units in processing order, without those that an earlier attempt finished
 */
export function createTimeLeft(units: readonly WorkUnit[], now: () => number = () => performance.now()): TimeLeft {
  const left = new Set(units)
  const halfLife = sumWeights(units) * Math.max(halfLifeShare, minHalfLifeUnits / units.length)
  const samples: Sample[] = []
  const setups: number[] = []
  let position = 0
  let lastMs = now()

  function paceOf(group: string): number {
    const own = samples.filter(({ unit }) => unit.group === group)
    return currentPace(own.length > 0 ? own : samples, { position, halfLife })
  }

  function workMs(): number {
    const groups = Map.groupBy(left, ({ group }) => group)
    return [...groups].reduce((sum, [group, own]) => sum + sumWeights(own) * paceOf(group), 0)
  }

  function setupMs(): number {
    const order = [...left].map(({ group }) => group)
    const before = samples.at(-1)?.unit.group
    const changes = order.filter((group, index) => group !== (index === 0 ? before : order[index - 1])).length
    return changes * mean(setups)
  }

  return {
    finish(unit, { setupMs: spent = 0 } = {}) {
      const at = now()
      if (!left.delete(unit)) return
      samples.push({ unit, pace: Math.max(0, at - lastMs - spent) / unit.weight, position })
      if (spent > 0) setups.push(spent)
      position += unit.weight
      lastMs = at
    },
    seconds() {
      if (samples.length === 0) return null
      const sinceLastMs = now() - lastMs
      return Math.max(0, workMs() + setupMs() - sinceLastMs) / 1000
    },
  }
}

/** Returns the current pace: with enough samples, from a line fitted through them that favors recent ones, otherwise their mean. */
function currentPace(samples: Sample[], { position, halfLife }: { position: number; halfLife: number }): number {
  const whole = weightedMean(samples.map(({ unit, pace }) => ({ value: pace, weight: unit.weight })))
  if (samples.length < minUnitsForTrend) return whole
  const points = samples.map((sample) => ({
    x: sample.position - position,
    value: sample.pace,
    weight: sample.unit.weight * 2 ** ((sample.position - position) / halfLife),
  }))
  const meanX = weightedMean(points.map(({ x, weight }) => ({ value: x, weight })))
  const meanPace = weightedMean(points)
  const variance = weightedMean(points.map(({ x, weight }) => ({ value: (x - meanX) ** 2, weight })))
  const covariance = weightedMean(
    points.map(({ x, value, weight }) => ({ value: (x - meanX) * (value - meanPace), weight })),
  )
  const end = variance === 0 ? meanPace : meanPace - trendShare * (covariance / variance) * meanX
  return Math.min(Math.max(end, whole / maxTrend), whole * maxTrend)
}

function sumWeights(units: Iterable<WorkUnit>): number {
  return [...units].reduce((sum, { weight }) => sum + weight, 0)
}

function weightedMean(values: { value: number; weight: number }[]): number {
  const weights = values.reduce((sum, { weight }) => sum + weight, 0)
  return weights === 0 ? 0 : values.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights
}

function mean(values: number[]): number {
  return weightedMean(values.map((value) => ({ value, weight: 1 })))
}
