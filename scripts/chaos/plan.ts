import { seededRandom } from '#testing/audio.ts'

/** Every kind of fault for a product with the embedded database. */
export const faultKinds = [
  'kill server',
  'kill database',
  'pause database',
  'kill engine',
  'kill native child',
  'kill supervisor',
  'fill disk',
  'pause server',
  'move clock',
  'slow clients',
  'pause engine',
  'silent clients',
  'remove socket',
] as const

/** Faults of the embedded database, left out with a replica set. */
const embeddedKinds: readonly string[] = ['kill database', 'pause database', 'remove socket']
const replicaSetKinds = ['kill primary', 'step down', 'pause member', 'roll back', 'cut member'] as const

/** Every kind of fault for a product with a replica set. */
export const faultKindsOfSet: readonly FaultKind[] = [
  ...replicaSetKinds,
  ...faultKinds.filter((kind) => !embeddedKinds.includes(kind)),
]

export type FaultKind = (typeof faultKinds)[number] | (typeof replicaSetKinds)[number]

/** Its first six rounds are the five kills and the full disk, so that a short run covers the worst. */
export const defaultSeed = 547

export interface PlannedRound {
  /** Counted from 1. */
  number: number
  kind: FaultKind
  /** Random numbers from 0 to 1 for the details of the fault; the same in every run with the same seed. */
  random: () => number
}

/**
 * Plans the rounds of a run. Each kind occurs once, in random order, before any occurs again; the same seed gives the same plan.
 */
export function planRounds({
  rounds,
  seed,
  kinds = faultKinds,
}: {
  rounds: number
  seed: number
  kinds?: readonly FaultKind[]
}): PlannedRound[] {
  const random = seededRandom(seed)
  let deck: FaultKind[] = []
  return Array.from({ length: rounds }, (_, index) => {
    if (deck.length === 0) deck = shuffle(kinds, random)
    const kind = deck.pop() ?? faultKinds[0]
    return { number: index + 1, kind, random: seededRandom(Math.floor(random() * 2 ** 31)) }
  })
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [shuffled[last], shuffled[other]]
    if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a]
  }
  return shuffled
}

/** Returns a number from `min` to `max`. */
export function randomBetween(random: () => number, min: number, max: number): number {
  return min + random() * (max - min)
}

/** Returns one of the items. Throws when there is none. */
export function randomItem<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to choose from')
  return item
}
