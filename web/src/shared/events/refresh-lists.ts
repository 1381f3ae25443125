import type { Query, QueryClient } from '@tanstack/react-query'

/** Lists that change with recordings and jobs, by the first part of their query keys. */
export type ChangingList = 'recordings' | 'stats' | 'storage' | 'alerts'

/** The lists that show recordings. */
export const recordingLists: readonly ChangingList[] = ['recordings', 'stats', 'storage']

/** In a series of changes, the second refresh follows the first after this long. */
const minIntervalMs = 1_000
/** While changes continue, each wait is longer than the previous one, up to this: a tab then makes about 40 calls a minute. */
const maxIntervalMs = 10_000
const growth = 3
/** After this long without a refresh, the next change is shown immediately again. */
const quietMs = 12_000
/** Hidden tabs read only the count of alerts, for notifications. */
const hiddenIntervalMs = 15_000

interface Schedule {
  pending: Set<ChangingList>
  /** The refresh that callers wait for, which includes their changes. */
  next: PromiseWithResolvers<void> | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  intervalMs: number
  lastMs: number
}

const schedules = new WeakMap<QueryClient, Schedule>()

/**
 * Refetches the lists on screen; others are fetched when they are next shown. The first change is shown immediately, and those that follow
 * are grouped: a thousand changes cost a few calls. Resolves once the lists are fetched.
 */
export function refreshLists(client: QueryClient, lists = recordingLists): Promise<void> {
  const schedule = scheduleOf(client)
  for (const list of lists) schedule.pending.add(list)
  // Outdated lists are fetched when the tab becomes visible: see `refetchOnWindowFocus`.
  if (document.hidden) void markOutdated(client, schedule.pending, 'none')
  schedule.next ??= Promise.withResolvers<void>()
  const { promise } = schedule.next
  schedule.timer ??= setTimeout(() => void run(client, schedule), waitMs(schedule))
  return promise
}

/** Refetches the lists immediately, for a change that the user is waiting for. Later changes are grouped as by `refreshLists`. */
export function refreshListsNow(client: QueryClient, lists = recordingLists): Promise<void> {
  const schedule = scheduleOf(client)
  for (const list of lists) schedule.pending.add(list)
  return run(client, schedule)
}

function scheduleOf(client: QueryClient): Schedule {
  const known = schedules.get(client)
  if (known) return known
  const created: Schedule = {
    pending: new Set(),
    next: undefined,
    timer: undefined,
    intervalMs: minIntervalMs,
    lastMs: -Infinity,
  }
  schedules.set(client, created)
  return created
}

function waitMs(schedule: Schedule): number {
  const sinceLastMs = performance.now() - schedule.lastMs
  if (sinceLastMs > quietMs) schedule.intervalMs = minIntervalMs
  const intervalMs = document.hidden ? hiddenIntervalMs : schedule.intervalMs
  return Math.max(0, intervalMs - sinceLastMs)
}

async function run(client: QueryClient, schedule: Schedule): Promise<void> {
  const { pending, next, lastMs, intervalMs } = schedule
  const lists = new Set(pending)
  clearTimeout(schedule.timer)
  pending.clear()
  schedule.next = undefined
  schedule.timer = undefined
  schedule.lastMs = performance.now()
  const isFirst = schedule.lastMs - lastMs > quietMs
  schedule.intervalMs = isFirst ? minIntervalMs : Math.min(maxIntervalMs, intervalMs * growth)
  await markOutdated(client, lists, document.hidden ? 'none' : 'active')
  if (document.hidden && lists.has('alerts'))
    await client.refetchQueries({ queryKey: ['alerts', 'count'], type: 'active' })
  next?.resolve()
}

function markOutdated(client: QueryClient, lists: ReadonlySet<unknown>, refetchType: 'none' | 'active'): Promise<void> {
  // The settings of the digest do not change with recordings.
  const isAffected = ({ queryKey: [list, part] }: Query) => lists.has(list) && part !== 'digest'
  return client.invalidateQueries({ predicate: isAffected, refetchType })
}
