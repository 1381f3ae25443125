import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'

/** Merges what several engines report of each server, which is reachable when any of them reaches it. Sorted by address. */
export function mergeServers(seen: RemoteServerStatus[][]): RemoteServerStatus[] {
  const byAddress = Map.groupBy(seen.flat(), ({ address }) => address)
  return [...byAddress]
    .map(([address, views]) => ({
      address,
      models: [...new Set(views.flatMap(({ models }) => models))],
      is_reachable: mergeReachable(views),
      in_flight: sum(views.map((view) => view.in_flight)),
      completed: sum(views.map((view) => view.completed)),
      failed: sum(views.map((view) => view.failed)),
      real_time_factor: meanSpeed(views, (view) => view.real_time_factor),
      tokens_per_second: meanSpeed(views, (view) => view.tokens_per_second),
      last_error: latestError(views),
      retry_at: nextRetry(views),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

function mergeReachable(views: RemoteServerStatus[]): boolean | null {
  if (views.some(({ is_reachable }) => is_reachable === true)) return true
  return views.some(({ is_reachable }) => is_reachable === false) ? false : null
}

/** Weights each engine by its completed requests. */
function meanSpeed(views: RemoteServerStatus[], speedOf: (view: RemoteServerStatus) => number | null): number | null {
  const measured = views.flatMap((view) => {
    const speed = speedOf(view)
    return speed === null ? [] : { speed, weight: Math.max(1, view.completed) }
  })
  if (measured.length === 0) return null
  return sum(measured.map(({ speed, weight }) => speed * weight)) / sum(measured.map(({ weight }) => weight))
}

function latestError(views: RemoteServerStatus[]): RemoteServerStatus['last_error'] {
  const errors = views.flatMap(({ last_error }) => last_error ?? [])
  return errors.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0] ?? null
}

/** Returns null when an engine uses the server now. */
function nextRetry(views: RemoteServerStatus[]): string | null {
  const times = views.map(({ retry_at }) => retry_at)
  if (times.includes(null)) return null
  return times.flatMap((time) => time ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
