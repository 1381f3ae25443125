/** Measurements around one attack. Times are in milliseconds, one per call; Infinity for a failed call. */
export interface Measured {
  idleBytes: number
  peakBytes: number
  /** Default: half of idle plus 100 MB. */
  maxGrowthBytes?: number | undefined
  /** Time until memory was near idle again, if that was watched; Infinity if it never was. */
  backAfterMs?: number | undefined
  calm: Timings
  during: Timings
}

export interface Timings {
  signInMs: number[]
  uploadMs: number[]
  /** Times of other calls, by name. */
  extraMs: Map<string, number[]>
  /** The statuses of the calls that failed; 0 for no answer. */
  refusals: number[]
}

interface Verdict {
  text: string
  isReached: boolean
}

const mb = 1024 ** 2
/** How far above idle memory may be to count as given back. */
const nearIdleBytes = 60 * mb
const maxBackMs = 60_000

/** Returns whether memory was given back. */
export function isNearIdle(bytes: number, idleBytes: number): boolean {
  return bytes <= idleBytes + nearIdleBytes
}

/**
 * Judges an attack by the limits of the product: memory up to 1.5 times idle plus 100 MB, or the attack's own limit; another user's calls
 * at most twice as long as in calm; memory given back within a minute.
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

/** Returns the middle value, the greater of two middle ones; NaN if there are no values. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(2)} s` : 'never'
}
