/** What was measured around one attack. Times in milliseconds, one a call; a call that failed is Infinity. */
export interface Measured {
  idleBytes: number
  peakBytes: number
  /** Default: half of idle and 100 MB. */
  maxGrowthBytes?: number | undefined
  /** Until the memory was near idle again, where that was watched; Infinity where it never was. */
  backAfterMs?: number | undefined
  calm: Timings
  during: Timings
}

export interface Timings {
  signInMs: number[]
  uploadMs: number[]
  /** Of other calls, by their names. */
  extraMs: Map<string, number[]>
  /** The statuses of the calls that failed; 0 for no answer. */
  refusals: number[]
}

interface Verdict {
  text: string
  isReached: boolean
}

const mb = 1024 ** 2
/** What the memory may be above idle when it counts as given back. */
const nearIdleBytes = 60 * mb
const maxBackMs = 60_000

/** Returns whether memory was given back. */
export function isNearIdle(bytes: number, idleBytes: number): boolean {
  return bytes <= idleBytes + nearIdleBytes
}

/**
 * Judges an attack by the limits of the product: memory 1.5 times idle and 100 MB, or what the attack says; another user's calls twice as
 * long as in calm; memory given back in a minute.
 */
export function judge({ idleBytes, peakBytes, maxGrowthBytes, backAfterMs, calm, during }: Measured): Verdict[] {
  const limitBytes = idleBytes + (maxGrowthBytes ?? 0.5 * idleBytes + 100 * mb)
  const show = (bytes: number) => `${Math.round(bytes / mb)} MB`
  return [
    {
      text: `server memory: idle ${show(idleBytes)}, at most ${show(peakBytes)} (limit ${show(limitBytes)})`,
      isReached: peakBytes <= limitBytes,
    },
    compare("another user's sign-in", calm.signInMs, during.signInMs),
    compare("another user's upload", calm.uploadMs, during.uploadMs),
    ...[...calm.extraMs].map(([name, ms]) => compare(`another user's ${name}`, ms, during.extraMs.get(name) ?? [])),
    ...(backAfterMs === undefined
      ? []
      : [{ text: `memory near idle again after ${seconds(backAfterMs)}`, isReached: backAfterMs <= maxBackMs }]),
  ]
}

function compare(what: string, calm: number[], during: number[]): Verdict {
  const [before, meanwhile] = [median(calm), median(during)]
  const limitMs = 2 * before
  const failed = [...calm, ...during].filter((ms) => !Number.isFinite(ms)).length
  const counts = `${calm.length} and ${during.length} calls${failed > 0 ? `, ${failed} FAILED` : ''}`
  const longest = `longest ${seconds(Math.max(...during))}`
  return {
    text: `${what}: calm ${seconds(before)}, during ${seconds(meanwhile)} (limit ${seconds(limitMs)}; ${longest}; ${counts})`,
    isReached: meanwhile <= limitMs && failed === 0,
  }
}

/** The middle value, the greater of two; NaN of none. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(2)} s` : 'never'
}
